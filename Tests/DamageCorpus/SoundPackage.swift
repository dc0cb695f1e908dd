import Bytes
import Files
import LNoteFormat
import Rendering
import TestSupport

/// A sound document: what it holds, and its files.
package struct SoundPackage: Sendable {
  /// What is on one page.
  package enum Sheet: Hashable, Sendable {
    case blank
    case strokes(Int, samples: Int)
    /// So many pictures, each an image of its own, between strokes.
    case pictures(Int)
    /// The first image of the document once more.
    case samePicture
    /// Elements of types that this version does not know.
    case unknown(Int)
  }

  /// The folder's name in its library.
  package let name: BytePath
  /// What document.json says.
  package internal(set) var document: DocumentRecord
  /// The pages, in order.
  package internal(set) var pages: [PageSnapshot] = []
  /// The images, in the order in which they were put in.
  package internal(set) var assets: [(id: NoteID, bytes: [UInt8])] = []
  /// Its files, in a library of its own.
  package private(set) var tree = PackageTree()

  /// The document of this seed with these pages.
  ///
  /// - Parameter isOdd: true for what a document may also hold: members of a newer app, strokes without points, numbers
  ///   at the limits, titles in any script.
  package init(seed: UInt64, _ sheets: [Sheet], isOdd: Bool = false) {
    var maker = PackageMaker(seed: seed, isOdd: isOdd)
    document = maker.document()
    name = BytePath(PackageNames.package(document.id))
    for (place, sheet) in sheets.enumerated() {
      let page = maker.page(number: place, sheet, assets: &assets)
      pages.append(page)
      document.pages.append(maker.entry(of: page))
    }
    writeFiles(maker.manifest(of: document))
  }

  /// A document of which everything is drawn from the seed.
  package init(drawn seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let sheets = (0..<Int.random(in: 0...5, using: &random)).map { _ -> Sheet in
      switch Int.random(in: 0..<8, using: &random) {
      case 0: .blank
      case 1: .pictures(Int.random(in: 1...2, using: &random))
      case 2: .samePicture
      case 3: .unknown(Int.random(in: 1...3, using: &random))
      default:
        .strokes(Int.random(in: 1...6, using: &random), samples: Int.random(in: 1...40, using: &random))
      }
    }
    self.init(seed: random.next(), sheets, isOdd: Bool.random(using: &random))
  }

  /// The codes of what is told of it all the same: what only a newer app or a patient user brings about.
  package var notes: Set<String> {
    var notes: Set<String> = document.notes
    let times = pages.flatMap { [$0.created, $0.modified] } + [document.created, document.modified]
    let isPlausible = { (time: Timestamp) in (1_262_304_000_000...1_796_133_732_000).contains(time.milliseconds) }
    if !times.allSatisfy(isPlausible) { notes.insert("LN1701") }
    for element in pages.flatMap(\.elements) {
      switch element {
      case .unknown: notes.insert("LN3006")
      case .stroke(let stroke) where stroke.samples.isEmpty: notes.insert("LN3106")
      default: break
      }
    }
    return notes
  }

  /// The path of a file of the document in its library.
  package func path(_ inside: String) -> BytePath { name.appending(inside) }

  private mutating func writeFiles(_ manifest: ManifestRecord) {
    for folder in [PackageNames.pages, PackageNames.assets, PackageNames.thumbnails] {
      tree.put(.directory, at: path(folder))
    }
    tree.put(.file(document.encoded()), at: path(PackageNames.document))
    tree.put(.file(manifest.encoded()), at: path(PackageNames.manifest))
    for asset in assets { tree.put(.file(asset.bytes), at: path(PackageNames.asset(asset.id))) }
    let pictures = Dictionary(assets.map { ($0.id, $0.bytes) }, uniquingKeysWith: { first, _ in first })
    for page in pages {
      tree.put(.file(page.encoded()), at: path(PackageNames.page(page.id)))
      let scene = PageScene(canvas: page.canvas, elements: page.elements)
      let thumbnail = Thumbnail(page: page.id, generation: page.generation)
        .file(showing: scene) { pictures[$0.asset] }
      tree.put(.file(thumbnail), at: path(PackageNames.thumbnail(page.id)))
    }
  }
}

extension DocumentRecord {
  /// The same for its members.
  fileprivate var notes: Set<String> {
    let isNew =
      !unknown.isEmpty || pages.contains { !$0.unknown.isEmpty || !$0.canvasUnknown.isEmpty }
    return isNew ? ["LN2011"] : []
  }
}
