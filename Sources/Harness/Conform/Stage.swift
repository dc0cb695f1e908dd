import Files
import LNoteFormat
import LNoteStore

/// Where one check takes place: a library's folder, and the drivers that were started in it.
final class Stage {
  /// The library's folder.
  let root: BytePath
  private let programs: Programs
  private var talks: [DriverTalk] = []

  init(root: BytePath, programs: Programs) {
    self.root = root
    self.programs = programs
  }

  /// A driver that was started and to which nothing was said.
  func freshDriver() throws(Objection) -> DriverTalk {
    let talk = try DriverTalk(programs)
    talks.append(talk)
    return talk
  }

  /// A driver that is ready for commands.
  func driver() throws(Objection) -> DriverTalk {
    let talk = try freshDriver()
    _ = try talk.greeting()
    if case .refused(let reason) = try talk.start(root: root.description) {
      throw Objection("it refused to start: \(reason)")
    }
    return talk
  }

  /// A driver with a document that has one empty page, durable.
  func driverWithPage() throws(Objection) -> DriverTalk {
    let talk = try driver()
    try talk.does(.createDocument(Sample.document, title: "Trip"))
    try talk.does(.addPage(Sample.page, canvas: Sample.canvas, at: nil))
    try talk.does(.background)
    return talk
  }

  /// Ends every driver that it started.
  func finish() { for talk in talks { talk.kill() } }
}

/// Identities and things to draw, the same in every run.
enum Sample {
  static let document = StrokeMaker.identity(seed: 119, count: 1)
  static let page = PageName(document: document, page: StrokeMaker.identity(seed: 119, count: 2))
  static let canvas = CanvasSize(width: 8340, height: 11940)

  static func page(_ count: UInt64) -> PageName {
    PageName(document: document, page: StrokeMaker.identity(seed: 119, count: 10 + count))
  }

  static func stroke(_ count: UInt64, points: Int = 20) -> Stroke {
    StrokeMaker.stroke(
      id: StrokeMaker.identity(seed: 119, count: 100 + count), points: points, pen: 1, baseRadius: 12,
      origin: (x: 1000, y: Int32(500 * count)), seed: count)
  }

  static let placement = ImagePlacement(
    element: StrokeMaker.identity(seed: 119, count: 50), asset: StrokeMaker.identity(seed: 119, count: 51), x: 500,
    y: 600, width: 2400, height: 1800)
}

extension StoreAnswer {
  /// True where the answer calls this edit of the page durable.
  func saves(_ page: PageName, _ number: UInt64) -> Bool {
    durable.pages.contains { $0.page == page && $0.upTo >= number }
  }
}
