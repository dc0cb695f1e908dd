import Bytes
import Files
import LNoteFormat
import Synchronization

/// The packages of one folder, in which an image is looked for that one of them lacks.
///
/// Nothing is listed beforehand and nothing is kept: where an image is lacking, each other package is asked for the file
/// by its name, and what repairs have set aside of that package too.
package final class LibraryLook: Sendable {
  /// How many files a run asks for: then it has taken long enough.
  static let looksMax = 4_000_000
  /// In how many repairs of one package is looked, the last one first.
  static let repairsMax = 16

  /// The volume of the packages, and what stands before a path of it for the user.
  let folder: LookIn
  private let packages: [BytePath]
  private let looksMax: Int
  private let looks = Mutex(0)

  /// The packages of a volume, by their paths.
  ///
  /// - Parameter shown: the folder as the user wrote it.
  package init(volume: any Volume, shown: String, packages: [BytePath], looksMax: Int? = nil) {
    folder = LookIn(volume: volume, shown: shown)
    self.packages = packages
    self.looksMax = looksMax ?? LibraryLook.looksMax
  }

  /// True where files were not asked for any more.
  package var isOver: Bool { looks.withLock { $0 > looksMax } }

  /// Files with the very bytes that pages of the package were given, of those images that it lacks.
  func images(lackedBy package: PackageFacts, besides known: Set<NoteID>, source: Int) -> [NoteID: FoundFile] {
    if !package.mayLackImages { return [:] }
    var wanted = PackageView(package).imagesWanted.filter { !known.contains($0.key) }
    var found: [NoteID: FoundFile] = [:]
    let reader = SurveyReader(volume: folder.volume, package: .root, progress: { _ in })
    for other in packages where other != package.path {
      if wanted.isEmpty { break }
      let isEnough = looks.withLock { looks in
        looks += wanted.count + 1
        return looks > looksMax
      }
      if isEnough { break }
      let places = [other] + repairs(of: other)
      for (id, uses) in wanted {
        let paths = places.map { $0.appending(PackagePaths.asset(id)) }
        let file = paths.lazy.compactMap { self.folder.image($0, shownBy: uses, reader, source) }.first
        if let file {
          found[id] = file
          wanted[id] = nil
        }
      }
    }
    return found
  }

  /// What repairs have set aside, by the folder of each.
  private func repairs(of package: BytePath) -> [BytePath] {
    let place = SetAsidePlace(beside: package, in: folder.volume).parent
    guard (try? folder.volume.status(at: place))?.kind == .directory,
      let entries = try? folder.volume.entries(of: place, countMax: SurveyLimits.namesMax)
    else { return [] }
    let names = entries.compactMap(\.name.exactText).filter { RepairHistory.order(of: $0) != nil }
    return names.sorted { RepairHistory.isLater($0, than: $1) }.prefix(LibraryLook.repairsMax)
      .map { place.appending(BytePath($0)) }
  }
}

extension PackageFacts {
  /// True where a page shows an image whose file is not there, or not what the page was given.
  var mayLackImages: Bool {
    let shown = pages.flatMap { $0.images.0 }
    if shown.isEmpty { return false }
    let contents = Dictionary(assets.map { ($0.id, $0.content) }, uniquingKeysWith: { first, _ in first })
    return shown.contains { image in
      guard let content = contents[image.asset] ?? nil else { return true }
      return content.length != image.assetLength || content.digest != image.assetDigest
    }
  }
}
