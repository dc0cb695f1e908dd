import Files
import LNoteFormat
import Synchronization
import Terminal
import TestSupport
import Testing

@testable import LNoteFsck

/// `--ask`: each repair is asked for, and only what is permitted is done.
@Suite struct AskingTests {
  /// Answers the questions in turn, and keeps them.
  final class Answers: Sendable {
    private let answers: @Sendable (Int) -> Bool
    private let kept = Mutex<[PackageReport]>([])
    var asked: [PackageReport] { kept.withLock { $0 } }

    init(_ answers: @escaping @Sendable (Int) -> Bool) { self.answers = answers }

    func take(_ question: PackageReport) -> Bool {
      kept.withLock { kept in
        kept.append(question)
        return answers(kept.count - 1)
      }
    }
  }

  static func repair(_ bench: Bench, _ answers: Answers) -> PackageReport {
    Fsck(volume: bench.volume, now: Bench.now, permits: { answers.take($0) }).repair(Bench.package, mode: .all)
  }

  static func text(_ report: PackageReport, _ mode: RunReport.Mode) -> (text: String, exit: Int32) {
    var run = RunReport(mode: mode, arguments: ["Notes"])
    run.add(RunReport.Item(report: report, shown: "Notes/\(Bench.package)", prefix: "Notes/"))
    return (run.plainText, run.exit.rawValue)
  }

  static let lines: [(String, RepairAnswer?)] = [
    ("y", .yes), ("Y", .yes), (" yes\t", .yes), ("n", .no), ("NO", .no), ("a", .all), ("all", .all), ("q", .quit),
    ("Quit", .quit), ("?", .explain), ("help", .explain), ("", nil), ("  ", nil), ("yy", nil), ("y y", nil),
    ("ja", nil), ("\u{FF59}", nil), ("y\u{301}", nil), ("1", nil), ("\u{0}y", nil),
  ]

  @Test(arguments: lines) func anAnswerIsOneOfTheWords(line: String, answer: RepairAnswer?) {
    #expect(RepairAnswer(line: Array(line.utf8)) == answer)
    #expect(RepairAnswer(line: Array(line.utf8) + [0xFF]) == nil)
  }

  @Test func whatAnAnswerPermitsForTheRest() {
    var permission = RepairPermission()
    #expect([.yes, .no, .explain].map { permission.take($0) } == [true, false, nil] && permission.rest == nil)
    #expect(permission.take(.all) == true && permission.rest == true)
    permission = RepairPermission()
    #expect(permission.take(.quit) == false && permission.rest == false)
  }

  @Test(arguments: DamageCase.all) func withoutPermissionItIsACheckInItsWordsAndItsStatus(row: DamageCase) throws {
    let bench = try Bench()
    try row.damage(bench)
    let before = try bench.picture()
    let check = Self.text(bench.check(), .check)
    let answers = Answers { _ in false }
    let report = Self.repair(bench, answers)
    // Trouble of the disk keeps a repair from being begun, and that has words of its own.
    if report.refusal == nil { #expect(Self.text(report, .ask) == check, "\(row.name)") }
    #expect(try bench.picture() == before, "\(row.name)")
    #expect(!report.didChange && codes(report.left) == row.found)
    // Nothing is asked twice.
    let places = answers.asked.flatMap(\.found).map { DeclinedRepair($0) }
    #expect(Set(places).count == places.count, "\(row.name)")
  }

  @Test(arguments: DamageCase.all) func withEveryPermissionItIsWhatYesDoes(row: DamageCase) throws {
    let (bench, other) = (try Bench(), try Bench())
    try row.damage(bench)
    try row.damage(other)
    let answers = Answers { _ in true }
    let report = Self.repair(bench, answers)
    let expected = other.repair()
    #expect(report.actions.map(\.step.description) == expected.actions.map(\.step.description), "\(row.name)")
    #expect(codes(report.left) == row.left)
    #expect(Self.text(report, .ask) == Self.text(expected, .repair(.all)) || !expected.didChange, "\(row.name)")
    #expect(answers.asked.isEmpty == expected.actions.isEmpty)
    for question in answers.asked {
      let words = TextReport.question(question, shown: "Notes/\(Bench.package)", paint: Paint(isOn: false))
      #expect(words.contains("  step    1. ") && words.contains(question.found[0].kind.code), "\(words)")
    }
  }

  @Test(arguments: DamageCase.all) func eachRepairCanBeTheOnlyOne(row: DamageCase) throws {
    let all = Answers { _ in false }
    let first = try Bench()
    try row.damage(first)
    _ = Self.repair(first, all)
    // A single one is what the test above is about.
    if all.asked.count < 2 { return }
    for only in all.asked.indices {
      let bench = try Bench()
      try row.damage(bench)
      let before = try UndoTests.picture(bench.volume)
      let answers = Answers { $0 == only }
      let report = Self.repair(bench, answers)
      let chosen = answers.asked[only]
      #expect(report.refusal == nil, "\(row.name), \(only): \(report.left.map(\.message))")
      let planned = (chosen.plan?.steps ?? []).map(\.description)
      #expect(report.actions.map(\.step.description) == planned, "\(row.name), \(only)")
      #expect(codes(report.repaired) == codes(chosen.found))
      // The rest can be repaired later.
      let later = Timestamp(milliseconds: Bench.now.milliseconds + 7_200_000)
      let end = Fsck(volume: bench.volume, now: later).repair(Bench.package, mode: .all)
      #expect(end.refusal == nil, "\(row.name), \(only)")
      while bench.undo().undo?.didChange == true {}
      #expect(try UndoTests.picture(bench.volume) == before, "\(row.name), \(only)")
    }
  }

  @Test func oneIsRepairedAndTheOtherStays() throws {
    let bench = try PlanTests.damaged()
    let page = try bench.bytes(DamageCase.page1)
    let answers = Answers { $0 != 0 }
    let report = Self.repair(bench, answers)
    #expect(answers.asked.map { codes($0.found) } == ["LN3001", "LN2005", "LN1501"])
    #expect(try bench.bytes(DamageCase.page1) == page)
    #expect(codes(report.left) == "LN3001 LN4003 LN9001" && report.exit.rawValue == 5)
    #expect(Self.text(report, .ask).text.contains("repaired (1), and damage is left (4)"))
  }

  @Test func whereTheDocumentIsToStayNothingElseIsAsked() throws {
    let bench = try InterruptionTests.damaged()
    let answers = Answers { _ in false }
    #expect(Self.repair(bench, answers).exit.rawValue == 4)
    #expect(answers.asked.map { codes($0.found) } == ["LN2001"])
    let words = TextReport.question(answers.asked[0], shown: "Notes/X", paint: Paint(isOn: false))
    #expect(words.contains("Then the document is to be looked at again"))
  }

  @Test func pagesThatSwapTheirNamesAreOneQuestion() throws {
    let bench = try Bench()
    let (one, two) = (try bench.bytes(DamageCase.page1), try bench.bytes(DamageCase.page2))
    try bench.put(two, at: DamageCase.page1)
    try bench.put(one, at: DamageCase.page2)
    let answers = Answers { _ in true }
    #expect(Self.repair(bench, answers).exit.rawValue == 1)
    #expect(answers.asked.map { codes($0.found) } == ["LN1104 LN1104"])
  }

  @Test func aSoundDocumentIsNotAskedAbout() throws {
    let answers = Answers { _ in true }
    let bench = try Bench()
    try bench.put([0xFF, 0xD8, 0xFF, 0xD9], at: PackagePaths.thumbnail(Bench.pages[0]))
    #expect(!Self.repair(bench, answers).found.contains { $0.action != nil } == answers.asked.isEmpty)
  }
}
