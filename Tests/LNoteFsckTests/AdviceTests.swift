import Files
import LNoteFormat
import TestSupport
import Testing

@testable import LNoteFsck

/// What the user is told to do next, where content is missing.
@Suite struct AdviceTests {
  static let rows: [(name: String, says: String?, damage: @Sendable (Bench) throws -> Void)] = [
    ("a page that is cut off", "a better page 1,", { try $0.damage(DamageCase.page1) { $0 = Array($0.dropLast(33)) } }),
    ("a missing page", "a better page 2,", { try $0.remove(DamageCase.page2) }),
    ("a missing image", "the whole image,", { try $0.remove(DamageCase.picture) }),
    (
      "two pages", "better copies of these files,",
      { bench in
        try bench.remove(DamageCase.page1)
        try bench.damage(DamageCase.page2) { $0[200] ^= 1 }
      }
    ),
    ("a page that was empty", nil, { try $0.remove(DamageCase.page3) }),
    ("a manifest", nil, { try $0.remove(DamageCase.manifest) }),
    ("a document", nil, { try $0.remove(DamageCase.document) }),
    ("bytes behind a page", nil, { try $0.damage(DamageCase.page1) { $0 += [1, 2, 3] } }),
    ("nothing", nil, { _ in }),
  ]

  @Test(arguments: rows.indices) func anotherCopyIsThoughtOfWhereContentIsMissing(_ row: Int) throws {
    let (name, says, damage) = Self.rows[row]
    let bench = try Bench()
    try damage(bench)
    let look = "      lnote-fsck --look-in OTHER Notes\n"
    let check = bench.run().plainText
    #expect(check.contains(look) == (says != nil), "\(name): \(check)")
    if let says { #expect(check.contains("If another device or a backup has \(says)"), "\(check)") }
    #expect(!bench.run(.plan(.all)).plainText.contains(look))
    let repair = bench.run(.repair(.all)).plainText
    #expect(repair.contains("      lnote-fsck -y --look-in OTHER Notes\n") == (says != nil), "\(name): \(repair)")
    #expect(repair.contains("      lnote-fsck --accept-loss ") == (says != nil), "\(name)")
    // The loss on record is told by every check, and so is that.
    let later = bench.run().plainText
    #expect(later.contains(look) == (says != nil), "\(name): \(later)")
  }

  @Test func whereItWasLookedTheLinesToCopyLookThereToo() throws {
    let bench = try Bench()
    try bench.remove(DamageCase.page2)
    var run = bench.run()
    run.lookIn = ["My backup"]
    #expect(!run.plainText.contains("OTHER"))
    for how in ["--plan", "-y", "-y --to REPAIRED"] {
      #expect(run.plainText.contains("      lnote-fsck \(how) --look-in 'My backup' Notes\n"), "\(run.plainText)")
    }
    #expect(!run.withoutTitles.plainText.contains("My backup"))
  }

  @Test func aLossThatWasAcceptedIsNotLookedFor() throws {
    let bench = try Bench()
    try bench.remove(DamageCase.page2)
    let repair = bench.run(.repair(.all)).plainText
    #expect(repair.contains("      lnote-fsck --accept-loss page-2 Notes/\(Bench.package)\n"), "\(repair)")
    _ = Fsck(volume: bench.volume, now: Bench.now).acceptLoss(Bench.package, at: .page(2))
    #expect(!bench.run().plainText.contains("OTHER"))
  }

  @Test func afterACopyTheCopyIsWhatIsHealed() throws {
    let bench = try Bench()
    try bench.remove(DamageCase.page2)
    var run = RunReport(mode: .copy(to: "My copy"), arguments: ["Notes"])
    run.add(RunReport.Item(report: bench.repair(), shown: "Notes/\(Bench.package)", prefix: "My copy/"))
    #expect(run.plainText.contains("      lnote-fsck -y --look-in OTHER 'My copy'\n"), "\(run.plainText)")
    #expect(run.plainText.contains("      lnote-fsck --accept-loss page-2 'My copy/\(Bench.package)'\n"))
  }
}
