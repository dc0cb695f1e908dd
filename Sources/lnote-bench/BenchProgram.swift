import Files
import Glibc
import Options

/// What `make bench` measures with: a package to check, and atomic saves to time.
enum BenchProgram {
  /// The most pages of a generated package.
  static let pagesMax = 10_000
  /// The most documents of a generated library.
  static let documentsMax = 100_000
  /// The size of each page of its documents, in bytes.
  static let smallPageBytes = 2000
  /// How many pages each of them has.
  static let smallPages = 3
  /// The largest page that is generated, in megabytes of 1,000,000 bytes.
  static let pageMegabytesMax = 100
  /// The largest file that is saved, in bytes.
  static let saveBytesMax = 64 << 20
  /// The most saves or calls of one run.
  static let savesMax = 1_000_000
  /// The largest piece that is written or read in one call, in bytes.
  static let pieceBytesMax = 16 << 20

  static let table = OptionTable(
    program: "lnote-bench",
    sentence: "makes a package to check and times atomic saves, for make bench",
    version: "1.0",
    options: [],
    verbs: [
      Verb(
        "pages", "write one healthy package into a folder and print its name",
        options: [
          Option("count", value: .number("N", 1...pagesMax), "how many pages; 160 where nothing is said"),
          Option(
            "megabytes", value: .number("MB", 1...pageMegabytesMax), "the size of each page; 4 where nothing is said"),
        ],
        operands: Operands("DIR", count: 1...1, "an existing folder that plays the library"),
        examples: [Example("lnote-bench pages /dev/shm/notes", "160 pages of 4 MB, strokes as somebody writes")]),
      Verb(
        "library", "write many small healthy packages into a folder and print how many",
        options: [
          Option("count", value: .number("N", 1...documentsMax), "how many; 5000 where nothing is said")
        ],
        operands: Operands("DIR", count: 1...1, "an existing folder that plays the library"),
        examples: [Example("lnote-bench library /dev/shm/notes", "5000 documents of three small pages each")]),
      Verb(
        "saves", "save one file again and again and print what a save costs",
        options: [
          Option("size", value: .number("BYTES", 1...saveBytesMax), "the file's size; 4096 where nothing is said"),
          Option("count", value: .number("N", 1...savesMax), "how many saves; 1000 where nothing is said"),
          Option("sync-directory", "with an fsync of the directory behind each rename"),
        ],
        operands: Operands("DIR", count: 1...1, "an existing folder; one file is left in it"),
        examples: [
          Example(
            "lnote-bench saves --size 4096 --sync-directory /dev/shm", "temporary file, write, fsync, rename, fsync")
        ]),
      Verb(
        "calls", "make one system call again and again and print what it costs",
        options: [
          Option(
            "kind", value: .choice("KIND", FileCalls.Kind.allCases.map(\.rawValue)),
            "which: writes where nothing is said"),
          Option(
            "size", value: .number("BYTES", 1...pieceBytesMax),
            "how much one call writes or reads; 4096 where nothing is said"),
          Option("count", value: .number("N", 1...savesMax), "how many calls; 1000 where nothing is said"),
        ],
        operands: Operands("DIR", count: 1...1, "an existing folder; nothing is left in it"),
        examples: [Example("lnote-bench calls --kind status /dev/shm", "the status of a hundred files in turn")]),
      Verb(
        "steps", "draw cases of a trivial machine by chance and print how many steps it took in which time",
        options: [
          Option(
            "machine", value: .choice("KIND", MachineSteps.Kind.allCases.map(\.rawValue)),
            "which: plain where nothing is said"),
          Option("count", value: .number("N", 1...savesMax), "how many cases; 1000 where nothing is said"),
        ],
        operands: .none,
        examples: [Example("lnote-bench steps --machine numbers", "a thousand runs of at most 50 steps")]),
    ],
    exitStatuses: [
      ExitStatus(0, "done"), ExitStatus(2, "the command line is wrong"),
      ExitStatus(4, "the folder cannot be used"),
    ])

  static func run(_ words: [Word]) -> Int32 {
    do {
      switch try table.read(words) {
      case .show(let text): print(text, terminator: "")
      case .run(let reading): print(try answer(to: reading))
      }
      return 0
    } catch let error as OptionError {
      complain("\(error)")
      return 2
    } catch {
      complain("\(error)")
      return 4
    }
  }

  private static func answer(to reading: OptionReading) throws -> String {
    if reading.verb == "steps" {
      let kind = reading.value("machine").flatMap { MachineSteps.Kind(rawValue: "\($0)") } ?? .plain
      return MachineSteps(kind: kind, cases: reading.number("count") ?? 1000).line
    }
    let directory = BytePath(bytes: reading.operands[0].bytes)
    if reading.verb == "calls" {
      let kind = reading.value("kind").flatMap { FileCalls.Kind(rawValue: "\($0)") } ?? .writes
      return try FileCalls(
        kind: kind, bytes: reading.number("size") ?? 4096, count: reading.number("count") ?? 1000
      ).run(in: directory).line
    }
    let volume = try HostVolume(root: directory)
    if reading.verb == "pages" {
      let package = GeneratedPackage(
        pages: reading.number("count") ?? 160, pageBytes: (reading.number("megabytes") ?? 4) * 1_000_000)
      return try package.write(to: volume)
    }
    if reading.verb == "library" {
      let count = reading.number("count") ?? 5000
      for number in 0..<count {
        _ = try GeneratedPackage(pages: smallPages, pageBytes: smallPageBytes, number: UInt64(number)).write(to: volume)
      }
      return "\(count)"
    }
    let saves = AtomicSaves(
      bytes: reading.number("size") ?? 4096, count: reading.number("count") ?? 1000,
      syncsDirectory: reading.has("sync-directory"))
    return try saves.run(in: volume).line
  }

  private static func complain(_ text: String) {
    _ = "lnote-bench: \(text)\n".withCString { write(STDERR_FILENO, $0, strlen($0)) }
  }
}
