import Files
import LNoteFormat
import Synchronization
import TestSupport
import Testing

@testable import LNoteFsck

/// Files and folders that are not what a folder's list told, or that change while they are read.
@Suite struct SurveyReaderTests {
  /// A volume on which something happens at the first opening, and whose looks and readings tell something else.
  private final class Restless: VolumeLayer {
    let below: any Volume
    let atFirst: @Sendable (any Volume) throws(FileCallError) -> Void
    /// Gets the path, nil for an open file, and the number of the look at it, from 1.
    let told: @Sendable (BytePath?, Int, inout FileStatus) -> Void
    let readsNothing: Int
    private let state = Mutex<(openings: [BytePath: Int], looks: [BytePath?: Int], readings: Int)>(([:], [:], 0))

    init(
      _ below: any Volume, readsNothing: Int = 0,
      atFirst: @escaping @Sendable (any Volume) throws(FileCallError) -> Void = { (_) throws(FileCallError) in },
      told: @escaping @Sendable (BytePath?, Int, inout FileStatus) -> Void = { _, _, _ in }
    ) {
      self.below = below
      self.readsNothing = readsNothing
      self.atFirst = atFirst
      self.told = told
    }

    func looks(at path: BytePath?) -> Int { state.withLock { $0.looks[path] ?? 0 } }

    func openings(of path: BytePath) -> Int { state.withLock { $0.openings[path] ?? 0 } }

    func open(_ path: BytePath, for purpose: OpenPurpose) throws(FileCallError) -> OpenFile {
      let number = state.withLock { state in
        state.openings[path, default: 0] += 1
        return state.openings.values.reduce(0, +)
      }
      if number == 1 { try atFirst(below) }
      return try below.open(path, for: purpose)
    }

    func read(
      _ file: OpenFile, at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
    ) throws(FileCallError) -> Int {
      let number = state.withLock { state in
        state.readings += 1
        return state.readings
      }
      return number <= readsNothing ? 0 : try below.read(file, at: offset, into: buffer)
    }

    func status(at path: BytePath) throws(FileCallError) -> FileStatus {
      altered(try below.status(at: path), path)
    }

    func status(of file: OpenFile) throws(FileCallError) -> FileStatus { altered(try below.status(of: file), nil) }

    private func altered(_ status: FileStatus, _ path: BytePath?) -> FileStatus {
      let number = state.withLock { state in
        state.looks[path, default: 0] += 1
        return state.looks[path, default: 0]
      }
      var status = status
      told(path, number, &status)
      return status
    }
  }

  private static let path: BytePath = "X/file"

  private static func read(
    _ volume: any Volume, listed kind: FileKind = .regular, bytesMax: UInt64 = 100
  ) -> (file: FileFacts, answer: [UInt8]?)? {
    let nothing: ContentMemory<OnlyQuestion, [UInt8]>? = nil
    return SurveyReader(volume: volume, package: "X", progress: { _ in })
      .whole("file", listed: kind, bytesMax: bytesMax, from: nothing) { Array($0) }
  }

  // MARK: What stands there is not what was listed

  typealias Change = @Sendable (any Volume) throws(FileCallError) -> Void

  static let others: [(name: String, obstacle: FileObstacle?, put: Change)] = [
    ("a link", .symbolicLink, { (volume) throws(FileCallError) in try volume.makeSymbolicLink(path, to: "other") }),
    (
      "a folder", .unexpectedType(.directory),
      { (volume) throws(FileCallError) in try volume.makeDirectory(path, permissions: 0o755) }
    ),
    (
      "a FIFO", .unexpectedType(.fifo),
      { (volume) throws(FileCallError) in
        try volume.makeNode(path, kind: .fifo, permissions: 0o600, device: 0)
      }
    ),
    (
      "a socket", .unexpectedType(.socket),
      { (volume) throws(FileCallError) in
        try volume.makeNode(path, kind: .socket, permissions: 0o600, device: 0)
      }
    ),
    ("another file", nil, { (volume) throws(FileCallError) in try volume.rename("X/other", to: path) }),
  ]

  @Test(arguments: others.indices) func whatTookThePlaceOfAFileIsSeen(index: Int) throws {
    let row = Self.others[index]
    let directory = try TemporaryDirectory()
    let host = try directory.volume()
    try host.make(Self.path, [1, 2, 3])
    try host.make("X/other", [7])
    let volume = Restless(
      host,
      atFirst: { (volume) throws(FileCallError) in
        try volume.unlink(Self.path)
        try row.put(volume)
      })
    let found = try #require(Self.read(volume), Comment(rawValue: row.name))
    #expect(found.file.obstacle == row.obstacle, Comment(rawValue: row.name))
    #expect(found.answer == (row.obstacle == nil ? [7] : nil), Comment(rawValue: row.name))
    #expect(host.openFileCount == 0)
  }

  @Test func whatIsGoneIsNotThere() throws {
    let bench = try Bench()
    try bench.volume.make(Self.path, [1, 2, 3])
    let volume = Restless(bench.volume, atFirst: { (volume) throws(FileCallError) in try volume.unlink(Self.path) })
    #expect(Self.read(volume) == nil)
  }

  @Test(arguments: ["ENOENT", "ELOOP", "ENXIO"]) func whatWasReplacedForAMomentIsReadAgain(name: String) throws {
    let bench = try Bench()
    try bench.volume.make(Self.path, [1, 2, 3])
    let errno = try #require(Errno(name: name))
    let volume = Restless(
      bench.volume, atFirst: { (_) throws(FileCallError) in throw FileCallError("open", [Self.path], errno) })
    let found = try #require(Self.read(volume))
    #expect(found.answer == [1, 2, 3] && found.file.obstacle == nil)
  }

  @Test(arguments: [FileKind.regular, .unknown]) func aFileThatCannotBeReadHasItsSize(kind: FileKind) throws {
    let bench = try Bench()
    try bench.volume.make(Self.path, [1, 2, 3])
    let failure = FileCallError("open", [Self.path], .eio)
    let volume = Restless(bench.volume, atFirst: { (_) throws(FileCallError) in throw failure })
    let found = try #require(Self.read(volume, listed: kind))
    #expect(found.file.obstacle == .unreadable(FileCallFailure(failure)) && found.answer == nil)
    #expect(found.file.size == 3)
  }

  @Test func onlyAListedFileIsOpenedWithoutALook() throws {
    let bench = try Bench()
    try bench.volume.make(Self.path, [1, 2, 3])
    for (kind, looks) in [(FileKind.regular, 0), (.unknown, 1), (.fifo, 1)] {
      let volume = Restless(bench.volume)
      #expect(Self.read(volume, listed: kind)?.answer == [1, 2, 3])
      #expect(volume.looks(at: Self.path) == looks)
    }
  }

  // MARK: Sizes and changes

  @Test func nothingIsReadOfAFileThatIsTooLarge() throws {
    let bench = try Bench()
    try bench.volume.make(Self.path, [1, 2, 3])
    #expect(Self.read(bench.volume, bytesMax: 3)?.answer == [1, 2, 3])
    let found = try #require(Self.read(Restless(bench.volume, readsNothing: .max), bytesMax: 2))
    #expect(found.file.obstacle == .tooLarge(limit: 2) && found.answer == nil)
    #expect(found.file.size == 3)
  }

  @Test func aFileThatHasFewerBytesThanItsSizeIsReadAgain() throws {
    let bench = try Bench()
    try bench.volume.make(Self.path, [1, 2, 3])
    #expect(Self.read(Restless(bench.volume, readsNothing: 1))?.answer == [1, 2, 3])
    let found = try #require(Self.read(Restless(bench.volume, readsNothing: .max)))
    #expect(found.file.obstacle == .changing && found.answer == nil)
  }

  static let fields: [(name: String, change: @Sendable (inout FileStatus, Int) -> Void)] = [
    ("inode", { $0.inode += UInt64($1) }), ("device", { $0.device += UInt64($1) }), ("size", { $0.size += UInt64($1) }),
    ("modified", { $0.modified += Int64($1) }), ("changed", { $0.changed += Int64($1) }),
  ]

  @Test(arguments: fields.indices) func eachOfTheFileTellsThatItChanged(index: Int) throws {
    let bench = try Bench()
    try bench.volume.make(Self.path, [1, 2, 3])
    let change = Self.fields[index].change
    // The first reading sees it change, the second one does not.
    let once = Restless(bench.volume, told: { path, number, status in if number == 2 { change(&status, 1) } })
    #expect(Self.read(once)?.answer == [1, 2, 3])
    #expect(once.looks(at: nil) == 4)
    let always = Restless(
      bench.volume, told: { path, number, status in if number.isMultiple(of: 2) { change(&status, 1) } })
    #expect(Self.read(always)?.file.obstacle == .changing)
    #expect(always.looks(at: nil) == 2 * SurveyLimits.readingsMax)
  }

  static let folders = [BytePath.root] + PackagePaths.directories

  /// Times and number of a folder tell of a save; a folder's size tells nothing.
  @Test(arguments: folders, ["inode", "modified", "changed"])
  func eachOfAFolderTellsThatThePackageChanged(folder: BytePath, field: String) throws {
    let bench = try Bench()
    let changed = Bench.package.appending(folder)
    let change = try #require(Self.fields.first { $0.name == field }?.change)
    let page = Bench.package.appending(DamageCase.page1)
    let once = Restless(
      bench.volume, told: { path, number, status in if path == changed && number > 1 { change(&status, 1) } })
    let facts = PackageSurvey.facts(of: Bench.package, in: once, holdsLock: true)
    #expect(facts.refusal == nil && facts.pages.count == 3)
    #expect(once.openings(of: page) == 2)
    let always = Restless(
      bench.volume, told: { path, number, status in if path == changed { change(&status, number) } })
    guard case .changing? = PackageSurvey.facts(of: Bench.package, in: always, holdsLock: true).refusal else {
      Issue.record("\(folder): \(field) is not looked at")
      return
    }
    let quiet = Restless(bench.volume)
    _ = PackageSurvey.facts(of: Bench.package, in: quiet, holdsLock: true)
    #expect(quiet.openings(of: page) == 1)
  }
}
