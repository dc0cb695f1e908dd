import Files
import Processes
import TestSupport
import Testing

/// The store's small pictures, before the checker as a user starts it.
@Suite struct ThumbnailTests {
  /// What the store has closed is in order: no note, no repair, exit status 0.
  @Test func whatTheStoreClosedIsInOrder() throws {
    let workshop = try Workshop()
    let scenario = """
      scenario v1 "closed"
      thumbnails on
      document "Trip" { page p1 strokes 2; page p2 images 1; page p3 }
      stroke p1
      insert-image p3 size 20KiB
      delete page p2
      background
      stroke p1
      close

      """
    try workshop.volume().make("closed.scn", text: scenario)
    let ran = try workshop.run("lnote-scenario", ["run", "--fast", "--keep", "kept", "closed.scn"])
    #expect(ran.ending == .exited(0), "\(ran.outputText)\(ran.errorText)")
    let folders = try workshop.volume().entries(of: "kept", countMax: 100).map(\.name).filter {
      $0.hasPrefix("repaired")
    }
    #expect(!folders.isEmpty)
    for folder in folders {
      for words in [[], ["-p"], ["-y"]] {
        let checked = try workshop.run("lnote-fsck", words + ["kept/\(folder)"])
        #expect(checked.ending == .exited(0), "\(words) \(folder): \(checked.outputText)")
        #expect(!checked.outputText.contains("LN51"))
      }
    }
  }
}
