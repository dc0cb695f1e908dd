import FaultDisk
import FileTracing
import Files
import LNoteFormat
import Rendering
import Testing

@testable import LNoteStore

/// A store on a fault disk in memory, with short names for documents, pages, elements and assets.
final class Stage {
  static let document = NoteID(high: 0xD0C, low: 1)
  static let package = BytePath(PackageNames.package(document))
  static let now = Timestamp(milliseconds: 1_782_898_200_000)
  static let canvas = CanvasSize(width: 8340, height: 11940)

  let disk: FaultDisk
  let configuration: StoreConfiguration
  private(set) var session: StoreSession
  private(set) var number: UInt64 = 0

  init(
    durability: Durability = .full, mutant: StoreMutant? = nil, autosave: Int64 = 500,
    drawsThumbnails: Bool = false, disk: FaultDisk = FaultDisk()
  ) {
    self.disk = disk
    configuration = StoreConfiguration(
      durability: durability, mutant: mutant, now: Stage.now, seed: 7, autosaveMilliseconds: autosave,
      drawsThumbnails: drawsThumbnails)
    session = StoreSession(volume: disk.volume(), configuration: configuration)
  }

  /// A new process on the same disk.
  func restartStore() { session = StoreSession(volume: disk.volume(), configuration: configuration) }

  /// Does it, whatever comes.
  @discardableResult
  func answer(_ command: StoreCommand) -> StoreAnswer {
    number += 1
    return session.perform(NumberedCommand(number, command))
  }

  /// Does it; a failure is a failure of the test.
  @discardableResult
  func done(_ command: StoreCommand, sourceLocation: SourceLocation = #_sourceLocation) -> StoreAnswer {
    let answer = answer(command)
    #expect(answer.failures == [], "\(command.word)", sourceLocation: sourceLocation)
    return answer
  }

  /// A document with this many pages of one stroke each, saved and durable, where recording begins.
  static func withPages(
    _ count: UInt64, durability: Durability = .full, mutant: StoreMutant? = nil, drawsThumbnails: Bool = false
  ) -> Stage {
    let stage = Stage(durability: durability, mutant: mutant, drawsThumbnails: drawsThumbnails)
    stage.done(.createDocument(document, title: "Analysis I"))
    for page in 1...count {
      stage.done(.addPage(name(page), canvas: canvas, at: nil))
      stage.done(.addStroke(name(page), stroke(page)))
    }
    stage.done(.background)
    stage.disk.beginRecording()
    return stage
  }

  // MARK: Names

  static func page(_ number: UInt64) -> NoteID { NoteID(high: 0xAA6E, low: number) }
  static func name(_ number: UInt64) -> PageName { PageName(document: document, page: page(number)) }
  static func element(_ number: UInt64) -> NoteID { NoteID(high: 0xE1E, low: number) }
  static func asset(_ number: UInt64) -> NoteID { NoteID(high: 0xA55E, low: number) }
  static func pagePath(_ number: UInt64) -> BytePath { package.appending(PackageNames.page(page(number))) }
  static func assetPath(_ number: UInt64) -> BytePath { package.appending(PackageNames.asset(asset(number))) }
  static let documentPath = package.appending(PackageNames.document)
  static let manifestPath = package.appending(PackageNames.manifest)

  static func stroke(_ number: UInt64, points: Int = 3) -> Stroke {
    Stroke(
      id: element(number), pen: 1, colour: 0x1122_33FF, baseRadius: 12,
      samples: (0..<points).map {
        StrokeSample(x: Int32($0) * 10, y: Int32(number), radius: 12, pressure: 500, time: UInt32($0) * 8)
      })
  }

  static func placement(_ number: UInt64) -> ImagePlacement {
    ImagePlacement(element: element(500 + number), asset: asset(number), x: 10, y: 20, width: 300, height: 400)
  }

  static let jpeg = JPEGMaker.picture(sizeBytes: 700, seed: 3)

  func insertImage(_ number: UInt64, on page: UInt64) -> StoreCommand {
    .insertImage(Stage.name(page), Stage.placement(number), jpeg: Stage.jpeg)
  }

  // MARK: The medium

  /// A door of its own, for looking.
  var look: FaultVolume { disk.volume() }

  func bytes(_ path: BytePath) -> [UInt8]? { try? look.readWhole(path, sizeMax: 64 << 20) }

  /// The page as its file holds it; nil where there is none, or none that is whole.
  func pageOnDisk(_ number: UInt64) -> PageSnapshot? {
    guard let bytes = bytes(Stage.pagePath(number)) else { return nil }
    let reading = PageReader.read(bytes, expecting: Stage.page(number))
    return reading.verdict.condition == .whole ? reading.snapshot : nil
  }

  /// The elements of the page's file, by the numbers of their identities.
  func elementsOnDisk(_ number: UInt64) -> [UInt64]? { pageOnDisk(number)?.elements.compactMap { $0.id?.low } }

  func recordOnDisk() -> DocumentRecord? {
    guard let bytes = bytes(Stage.documentPath) else { return nil }
    let reading = DocumentRecord.read(bytes)
    return reading.condition == .whole ? reading.record : nil
  }

  func manifestOnDisk() -> ManifestRecord? {
    guard let bytes = bytes(Stage.manifestPath) else { return nil }
    let reading = ManifestRecord.read(bytes)
    return reading.condition == .whole ? reading.record : nil
  }

  /// The names of a folder of the package, shortened.
  func names(in folder: String) -> [String] {
    let entries = try? look.entries(of: Stage.package.appending(folder), countMax: 1000)
    return (entries ?? []).map { Stage.short($0.name) }
  }

  /// Every name below the root that begins with a dot.
  func temporaryNames() -> [String] {
    func walk(_ directory: BytePath) -> [String] {
      guard let entries = try? look.entries(of: directory, countMax: 1000) else { return [] }
      return entries.flatMap { entry in
        let path = directory.appending(entry.name)
        let own = entry.name.hasPrefix(".") ? [Stage.short(path)] : []
        return own + (entry.kind == .directory ? walk(path) : [])
      }
    }
    return walk(.root)
  }

  // MARK: The log

  /// The counted operations since recording began: "rename ~page1, page1". A temporary file is its target with "~".
  func counted() -> [String] { disk.log.counted.map(Stage.line) }

  /// Every operation since recording began, but reads and closes of what was opened.
  func everything() -> [String] {
    disk.log.records.filter { ![.read, .close].contains($0.kind) }.map(Stage.line)
  }

  static func line(_ record: OperationRecord) -> String {
    let other = record.otherPath.map { ", " + short($0) } ?? ""
    return "\(record.kind.rawValue) \(short(record.path))\(other)" + (record.errno.map { " \($0.name)" } ?? "")
  }

  /// The path inside the package with UUIDs as "page1", and temporary names as "~page1".
  static func short(_ path: BytePath) -> String {
    var text = path.description
    for (kind, word) in [(UInt64(0xAA6E), "page"), (0xA55E, "asset"), (0xD0C, "document")] {
      for number in UInt64(1)...3 {
        text = text.replacing(NoteID(high: kind, low: number).description, with: "\(word)\(number)")
      }
    }
    text = text.replacing("document1.lnote/", with: "").replacing("document1.lnote", with: "package")
    text = text.replacing(".content", with: "").replacing(".jpg", with: "").replacing(".json", with: "")
    var parts = text.split(separator: "/").map(String.init)
    for (place, part) in parts.enumerated() where part.hasSuffix(".tmp") && part.hasPrefix(".") {
      parts[place] = "~" + part.dropFirst().dropLast(13)
    }
    return parts.isEmpty ? "/" : parts.joined(separator: "/")
  }

  // MARK: Faults

  /// Arms an error on the nth counted operation from now on.
  func failing(_ errno: Errno, nth: UInt64?, on kinds: Set<OperationKind> = [], path: String? = nil) throws {
    try disk.arm(
      FaultRule(
        name: "failing", effect: .errno(errno), operations: kinds,
        target: path.map { FaultTarget(patterns: [NamePattern(BytePath($0))], spelling: $0) },
        occurrence: FaultOccurrence(nth: nth)))
  }

  /// Cuts the power and starts a new process on what is left.
  func cut(_ survivors: SurvivingState) {
    disk.powerCut(survivors)
    disk.restart()
    restartStore()
  }
}
