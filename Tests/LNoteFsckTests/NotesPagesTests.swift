import Files
import JSON
import Processes
import TestSupport
import Testing

@testable import LNoteFsck

/// The pages for note takers: each line that they show is run, and ends as they say.
@Suite(.serialized) struct NotesPagesTests {
  struct Row: Sendable {
    let page: String
    /// The lines of the page, in order, with their exit statuses.
    let lines: [(command: String, status: Int32)]
    /// What is done before a line, by its place.
    var before: [Int: @Sendable (TemporaryDirectory) throws -> Void] = [:]
    /// What must be true at the end.
    var after: @Sendable (TemporaryDirectory) throws -> Void = { _ in }
  }

  static let document = "~/Notes/\(Bench.package)"
  static let package = BytePath("Notes/\(Bench.package)")

  static let rows = [
    Row(
      page: "undo.md",
      lines: [
        ("lnote-fsck --undo \(document)", 5), ("lnote-fsck --look-in BACKUP ~/Notes", 4),
        ("lnote-fsck -y --look-in BACKUP ~/Notes", 1),
      ], before: [0: { try repair($0) }]),
    Row(
      page: "back-into-the-app.md",
      lines: [
        ("lnote-fsck -y --to REPAIRED ~/Notes", 5), ("lnote-fsck ~/Notes", 4),
        ("lnote-fsck -y --quarantine ASIDE ~/Notes", 5),
      ],
      before: [1: { try swap($0) }, 2: { try cut($0) }],
      after: { directory in
        // The other copy that turned up all the same.
        try directory.copy(package, to: BytePath("Notes/\(Bench.id) 2.lnote"))
        let check = try ProgramTests.run(["Notes"], in: directory)
        #expect(check.text.contains("LN8003"), "\(check.text)")
        #expect(try directory.volume().kind(at: BytePath("\(package)-lost+found")) == nil)
      }),
    Row(
      page: "support.md",
      lines: [
        ("lnote-fsck Notes.zip", 4), ("lnote-fsck --look-in BACKUP Notes.zip", 4),
        ("lnote-fsck -y --to REPAIRED --report letter.html Notes.zip", 5),
        ("lnote-fsck --report case.html --private Notes.zip", 4),
        ("lnote-fsck --save-plan plan.json Notes.zip", 4), ("lnote-fsck --apply-plan plan.json ~/Notes", 5),
      ],
      after: { directory in
        #expect(try InterruptionTests.text("letter.html", in: directory).contains("Physics 3"))
        for name in ["Physics 3", "data:image", "Notes"] {
          let body = try InterruptionTests.text("case.html", in: directory).split(separator: "<main>").last ?? ""
          #expect(!body.contains(name), "\(name)")
        }
        #expect(!(try InterruptionTests.text("plan.json", in: directory)).contains("strokes\":"))
        // With another copy everything is repaired.
        let words = ["-y", "--to", "WHOLE", "--look-in", "BACKUP", "Notes.zip"]
        #expect(try ProgramTests.run(words, in: directory).status == 1)
      }),
    Row(page: "words.md", lines: [("lnote-fsck --explain LN3002", 0)]),
  ]

  @Test(arguments: rows.indices) func eachLineOfAPageEndsAsItSays(_ place: Int) throws {
    let row = Self.rows[place]
    #expect(Self.commands(in: try Self.page(row.page)) == row.lines.map(\.command), "\(row.page)")
    let directory = try Self.home()
    for (place, line) in row.lines.enumerated() {
      try row.before[place]?(directory)
      let words = line.command.replacing("~/", with: "").split(separator: " ").dropFirst().map(String.init)
      let (status, text) = try ProgramTests.run(words, in: directory)
      #expect(status == line.status, "\(row.page), \(line.command): \(text)")
    }
    try row.after(directory)
  }

  @Test func thePinnedBlockIsTheScreen() throws {
    let parts = try Self.page("undo.md").split(separator: "<!-- pinned: ").dropFirst()
    #expect(parts.count == 1)
    for part in parts {
      let file = String(part.prefix { $0 != " " })
      let block = part.split(separator: "```\n", omittingEmptySubsequences: false)[1]
      let screen = try HostVolume(root: repositoryRoot).readWhole(BytePath(file), sizeMax: 1 << 16)
      #expect(block == String(decoding: screen, as: UTF8.self))
    }
  }

  @Test func eachLabelIsOneThatTheReportHas() throws {
    let root = try HostVolume(root: repositoryRoot.appending("Sources/LNoteFsck/Report"))
    let source = try ["TextReport.swift", "Sentences+Undo.swift"].map {
      String(decoding: try root.readWhole(BytePath($0), sizeMax: 1 << 16), as: UTF8.self)
    }.joined()
    let labels = try Self.page("words.md").matches(of: /\| \*\*([a-z]+)\*\* \|/).map { String($0.output.1) }
    #expect(labels.count == 13)
    for label in labels { #expect(source.contains("\"\(label)\""), "\(label)") }
    // And the other way round, as far as labels stand in the source by themselves.
    for found in source.matches(of: /(label: |append\(\(|paint\.[a-z]+\()"([a-z]+)"/) {
      #expect(labels.contains(String(found.output.2)), "\(found.output.2)")
    }
  }

  // MARK: Pages and folders

  static func page(_ name: String) throws -> String {
    let folder = try HostVolume(root: repositoryRoot.appending("Docs/notes"))
    return String(decoding: try folder.readWhole(BytePath(name), sizeMax: 1 << 20), as: UTF8.self)
  }

  /// The lines to copy, outside of what is printed.
  static func commands(in page: String) -> [String] {
    let outside = page.split(separator: "```", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset.isMultiple(of: 2) }.map(\.element)
    return outside.flatMap { $0.split(separator: "\n") }.compactMap { line in
      line.hasPrefix("    lnote-fsck ") || line.hasPrefix("        lnote-fsck ")
        ? String(line.drop { $0 == " " }) : nil
    }
  }

  /// A document with a page that is cut off, a ZIP of it, and a backup from before.
  static func home() throws -> TemporaryDirectory {
    let directory = try ProgramTests.folder()
    try directory.copy("Notes", to: "BACKUP")
    try cut(directory)
    var zip = Launch("python3", ["-m", "zipfile", "-c", "Notes.zip", "Notes"])
    zip.workingDirectory = directory.path.bytes
    #expect(try zip.run(limitMilliseconds: 60_000).ending == .exited(0))
    return directory
  }

  private static func repair(_ directory: TemporaryDirectory) throws {
    #expect(try ProgramTests.run(["-y", "Notes"], in: directory).status == 5)
  }

  private static func cut(_ directory: TemporaryDirectory) throws {
    let page = package.appending(DamageCase.page1)
    let volume = try directory.volume()
    try volume.replace(page, with: try volume.bytes(of: page).dropLast(33))
  }

  /// The repaired document takes the place of the damaged one.
  private static func swap(_ directory: TemporaryDirectory) throws {
    let volume = try directory.volume()
    try volume.rename(package, to: "Kept.lnote")
    try volume.rename(BytePath("REPAIRED/\(Bench.package)"), to: package)
    let check = try ProgramTests.run(["--json", "Notes"], in: directory)
    let summary = try JSONLines.parse(Array(check.text.utf8)).last
    #expect(summary?["byCode"]?.object?.keys.map { $0 } == ["LN9001"], "\(check.text)")
  }
}

extension TemporaryDirectory {
  fileprivate func copy(_ from: BytePath, to target: BytePath) throws {
    var launch = Launch("cp", ["-a", from.description, target.description])
    launch.workingDirectory = path.bytes
    #expect(try launch.run(limitMilliseconds: 60_000).ending == .exited(0))
  }
}
