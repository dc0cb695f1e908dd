import Files
import JSON
import LNoteFormat
import Processes
import TestSupport
import Testing

/// A folder "Notes" with one document, written by the store itself, for a test to damage and the checker to judge.
///
/// The small pictures are another program's: the store draws none.
struct NotesFolder {
  let workshop: Workshop
  /// The document's package, below the workshop: "Notes/<UUID>.lnote".
  let package: BytePath
  /// Its two pages, below the workshop; the first has 30 strokes, the second 5 and a photo.
  let pages: [BytePath]

  /// How many elements a sound copy has, on all pages together.
  static let elementCount = 36

  private static let scenario = """
    scenario v1 "notes to damage"
    document "Trip" { page p1 strokes 30 points 40; page p2 strokes 5 }
    insert-image p2 size 20KiB as photo
    background
    close
    """

  init() throws {
    workshop = try Workshop()
    let volume = try workshop.volume()
    try volume.make("notes.scn", text: Self.scenario)
    let made = try workshop.run("lnote-scenario", ["run", "--fast", "--keep", "kept", "notes.scn"])
    #expect(made.ending == .exited(0), "\(made.outputText)\(made.errorText)")
    try volume.rename("kept/repaired", to: "Notes")
    try volume.removeDirectory("kept")
    try volume.unlink("notes.scn")
    let name = try #require(try volume.entries(of: "Notes", countMax: 10).first { $0.name.hasSuffix(".lnote") }).name
    let package = BytePath("Notes").appending(name)
    let files = try volume.entries(of: package.appending("pages"), countMax: 10).map {
      package.appending("pages").appending($0.name)
    }
    for file in files {
      let page = file.name.bytes.dropLast(".content".utf8.count)
      let picture = BytePath(bytes: page + Array(".jpg".utf8))
      try volume.make(package.appending("thumbnails").appending(picture), [0xFF, 0xD8, 0xFF, 0xD9])
    }
    self.package = package
    pages = try files.sorted { try volume.status(at: $0).size > volume.status(at: $1).size }
  }

  /// The folder and all in it, as far as a program could change it.
  func picture() throws -> [String] { try workshop.volume().picture() }

  /// Cuts 100 bytes from the end of the first page, which is in the middle of its last stroke.
  func cutFirstPage() throws {
    let volume = try workshop.volume()
    try volume.replace(pages[0], with: try volume.bytes(of: pages[0]).dropLast(100))
  }

  /// Runs the checker on the folder.
  func fsck(_ words: [String] = []) throws -> ProgramResult { try workshop.run("lnote-fsck", words + ["Notes"]) }

  /// What the independent reader finds in the package: how many elements, and what is wrong.
  func readIndependently() throws -> (elements: Int, errors: [String]) {
    let reader = repositoryRoot.appending("Tests/Fixtures/reader/lnote_reader.py").description
    let launch = workshop.wrapped(Launch("python3", [reader, package.description]))
    let result = try launch.run(limitMilliseconds: Workshop.millisecondsMax)
    guard result.ending.isSuccess else { return (0, [result.errorText]) }
    let found = try JSONValue.parse(result.output)
    let pages = (found["pages"]?.object ?? [:]).sorted { $0.key < $1.key }.map(\.value)
    let errors = ([found["document"], found["manifest"]].compactMap(\.self) + pages).compactMap { $0["error"]?.string }
    return (pages.reduce(0) { $0 + ($1["elements"]?.array?.count ?? 0) }, errors)
  }
}

/// The store in a process of its own, which has the notes open until it is let go.
final class StoreProcess {
  /// Its number.
  var id: Int32 { process.id }
  private let process: ChildProcess
  private let lines: LineChannel

  /// Starts it and opens the document.
  init(opening notes: NotesFolder) throws {
    var launch = try notes.workshop.launch("lnote-driver", [])
    launch.input = .pipe
    launch.output = .pipe
    process = try ChildProcess(launch)
    lines = process.lines()
    _ = try receive()
    let root = notes.workshop.path.appending("Notes").description
    let ready = try ask([
      "protocol": 1, "engine": "snapshot", "durability": "full", "root": .string(root), "now": 1_782_898_300_000,
      "seed": 7,
    ])
    #expect(ready["ready"]?.bool == true)
    let document = String(notes.package.name.description.dropLast(".lnote".count))
    #expect(try ask(["number": 1, "do": "open", "document": .string(document)])["errors"]?.array == [])
  }

  deinit { _ = try? process.end() }

  /// Sends a line and waits for the answer.
  func ask(_ line: JSONValue) throws -> JSONValue {
    try lines.send(line.serialized())
    return try receive()
  }

  private func receive() throws -> JSONValue {
    try JSONValue.parse(try #require(try lines.receive(until: .after(milliseconds: Workshop.millisecondsMax))))
  }
}
