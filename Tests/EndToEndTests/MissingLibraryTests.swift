import Files
import Processes
import TestSupport
import Testing

/// A system that has lost the libraries which the checker loads only when it needs them.
@Suite struct MissingLibraryTests {
  /// A check needs none of them; what draws or unpacks says which library it is, and changes nothing.
  @Test func whatNeedsALibrarySaysSo() throws {
    let notes = try NotesFolder()
    try notes.cutFirstPage()
    let volume = try notes.workshop.volume()
    try volume.makeDirectory("bad", permissions: 0o755)
    for library in ["libcairo.so.2", "libarchive.so.13"] {
      try volume.make(BytePath("bad/\(library)"), text: "no library")
    }
    try volume.make("Notes.zip", text: "PK\u{3}\u{4}")
    let before = try notes.picture()

    let rows: [(words: [String], status: Int, says: String?)] = [
      (["--version"], 0, nil), (["Notes"], 4, nil), (["-y", "Notes"], 8, "cairo"),
      (["--render", "drawn", "Notes"], 8, "cairo"), (["Notes.zip"], 8, "libarchive.so.13"),
      (["--report", "page.html", "Notes"], 8, "cairo"), (["-y", "--to", "copy", "Notes"], 8, "cairo"),
      (["-p", "Notes"], 8, "cairo"), (["--apply-plan", "plan", "Notes"], 8, "cairo"), (["--plan", "Notes"], 4, nil),
      (["--plan", "--report", "page.html", "Notes"], 8, "cairo"),
    ]
    for row in rows {
      var launch = try notes.workshop.launch("lnote-fsck", row.words)
      launch.environment.append(("LD_LIBRARY_PATH", notes.workshop.path.appending("bad").description))
      let ran = try launch.run(limitMilliseconds: Workshop.millisecondsMax)
      let text = ran.outputText + ran.errorText
      #expect(ran.ending == .exited(row.status), "\(row.words): \(text)")
      for library in ["cairo", "libarchive"] {
        #expect(text.contains(library) == (row.says?.hasPrefix(library) == true), "\(row.words): \(text)")
      }
      #expect(text.contains(row.says ?? ""), "\(row.words): \(text)")
      #expect(try notes.picture() == before, "\(row.words) changed something")
    }
  }
}
