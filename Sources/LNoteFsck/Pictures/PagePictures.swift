import Files
import LNoteFormat
import Rendering

/// What a damaged page looks like, as JPEGs of a bounded size.
package struct PagePictures: Sendable {
  /// The page.
  package let page: PagePlace
  /// The small picture that the app saved last, from before the damage perhaps; nil where there is none.
  package let thumbnail: [UInt8]?
  /// What could be read of it before the run; nil where nothing was on it that could.
  package let before: [UInt8]?
  /// What is on it after the repair; nil without one, and for an empty page.
  package internal(set) var after: [UInt8]?

  /// How many pages of one document are pictured.
  package static let pagesMax = 8
  // In pixels; a page on the screen of a phone.
  private static let (width, height) = (560, 800)
  private static let quality = 72

  /// The damaged pages of a package as they are now.
  package static func before(of package: BytePath, in volume: any Volume) -> [PagePictures] {
    guard let pages = PackagePages(package, in: volume) else { return [] }
    return pages.damaged.prefix(pagesMax).map { id in
      PagePictures(
        page: pages.place(id), thumbnail: pages.thumbnail(id).flatMap { small($0) }, before: picture(id, pages))
    }
  }

  /// Adds what the same pages look like now.
  package static func addAfter(to pictures: inout [PagePictures], of package: BytePath, in volume: any Volume) {
    guard !pictures.isEmpty, let pages = PackagePages(package, in: volume) else { return }
    for place in pictures.indices { pictures[place].after = picture(pictures[place].page.id, pages) }
  }

  private static func picture(_ id: NoteID, _ pages: PackagePages) -> [UInt8]? {
    let scene = pages.scene(id)
    if scene.elements.isEmpty { return nil }
    return PagePicture.pixels(of: scene, fitting: width, height, assets: pages.asset).jpeg(quality: quality)
  }

  /// Another file's picture is never handed on as it is.
  private static func small(_ file: [UInt8]) -> [UInt8]? {
    Pixels.decoding(file, fitting: Thumbnail.sideMax, Thumbnail.sideMax)?.jpeg(quality: quality)
  }
}

/// The pictures of a run, of which no more are kept than a report may show.
package struct PictureAlbum {
  /// How many pages one report pictures.
  package static let pagesMax = 60
  private let pagesMax: Int
  private var counts: [Int: Int] = [:]
  /// The pictures by the number of their document: those of the first documents that fit together.
  package private(set) var kept: [Int: [PagePictures]] = [:]

  /// An empty album.
  package init(pagesMax: Int = Self.pagesMax) { self.pagesMax = pagesMax }

  /// Adds a document's pictures; what is kept in the end does not depend on the order.
  package mutating func add(_ pictures: [PagePictures], of document: Int) {
    if pictures.isEmpty { return }
    counts[document] = pictures.count
    kept[document] = pictures
    var sum = 0
    for (number, count) in counts.sorted(by: { $0.key < $1.key }) {
      sum += count
      if sum > pagesMax { kept[number] = nil }
    }
  }
}
