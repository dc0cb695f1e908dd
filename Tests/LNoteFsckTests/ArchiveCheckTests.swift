import Files
import Testing

@testable import Archives
@testable import LNoteFsck

/// What is said of an archive as a whole.
@Suite struct ArchiveCheckTests {
  static func account(_ change: (inout ArchiveAccount) -> Void) -> ArchiveAccount {
    var account = ArchiveAccount()
    account.held = 7
    change(&account)
    return account
  }

  static let rows: [(account: ArchiveAccount, told: String, exit: Int32, says: String)] = [
    (
      account { $0.end = .damaged("Truncated ZIP file header") }, "LN0013 error", 4,
      "The archive is cut off or damaged: behind 7 whole entries it cannot be read on."
    ),
    (
      account {
        $0.end = .damaged("Truncated ZIP file body")
        $0.cut = ArchiveAccount.Part(path: "a/b", bytes: 1234, expected: nil)
      }, "LN0013 error", 4, "The archive is cut off or damaged: behind 6 whole entries it cannot be read on."
    ),
    (
      account { $0.damaged.add("x") }, "LN0013 error", 4,
      "Could not be unpacked, or not as it was packed: 1 entry."
    ),
    (
      account { $0.encrypted.add("x") }, "LN0006 error", 8,
      "Locked by a password; unpack it, then check the folder: 1 entry."
    ),
    (account { $0.outside.add("../x") }, "LN0013 warning", 0, ""),
    (account { $0.absolute.add("/x") }, "LN0013 info", 0, ""),
    (account { $0.doubled.add("x") }, "LN0013 warning", 0, ""),
    (
      account { $0.end = .tooLarge(limit: 1 << 30) }, "LN0011 error", 4,
      "The archive unpacks to more than 1.1 GB, a hundred times what it has itself: it was read no further."
    ),
    (
      account { $0.end = .tooMany(limit: 500_000) }, "LN0011 error", 4,
      "The archive holds more than 500,000 entries: it was read no further."
    ),
  ]

  @Test(arguments: rows.indices) func eachEndHasItsSentence(index: Int) throws {
    let row = ArchiveCheckTests.rows[index]
    let report = try #require(ArchiveCheck.report(of: row.account, name: "Notes.zip"))
    #expect(report.found.map { "\($0.kind.code) \($0.severity.rawValue)" } == [row.told])
    #expect(report.exit.rawValue == row.exit)
    #expect(!report.isDocument)
    if !row.says.isEmpty { #expect(report.found.map(\.message) == [row.says]) }
  }

  @Test func aWholeOneIsNotSpokenOf() {
    #expect(ArchiveCheck.report(of: ArchiveCheckTests.account { _ in }, name: "Notes.zip") == nil)
  }

  @Test func aRunOverACutArchiveWithoutDocumentsSaysSo() throws {
    let account = ArchiveCheckTests.account { $0.end = .damaged("") }
    var run = RunReport(mode: .check, arguments: ["Notes.zip"])
    let report = try #require(ArchiveCheck.report(of: account, name: "Notes.zip"))
    run.add(RunReport.Item(report: report, shown: "Notes.zip/", prefix: "Notes.zip/", isInArchive: true))
    #expect(run.plainText.contains("No document was found in it. Nothing was changed."))
    #expect(run.exit.rawValue == 4)
  }

  @Test func noRoomIsTroubleAndSaysWhereRoomIsTaken() {
    let report = ArchiveCheck.report(of: FileCallError("pwrite", ["entries"], .enospc), name: "Notes.zip")
    #expect(report.exit.rawValue == 8)
    #expect(report.found.first?.message.contains("TMPDIR") == true)
  }
}
