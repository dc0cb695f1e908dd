import Files
import JSON
import Processes
import TestSupport
import Testing

/// A check of a document that the app is writing at this very moment cries no wolf.
@Suite(.serialized) struct LiveNotesTests {
  /// `LNOTE_DAMAGE_TRIES` has the long run of all that is told of random damages; this is its sound neighbour.
  private static let runs = Host.environment("LNOTE_DAMAGE_TRIES") == nil ? 6 : 200

  /// What is no damage: open, still changing, a save that is under way, small pictures and counts that come later.
  private static let harmless: Set = [
    "LN0002", "LN0004", "LN1501", "LN1502", "LN2007", "LN5001", "LN5003", "LN5101", "LN5102",
  ]

  @Test func nothingIsCalledDamagedThatIsOnlyBeingWritten() throws {
    let notes = try NotesFolder()
    let store = try StoreProcess(opening: notes)
    let document = JSONValue.string(String(notes.package.name.description.dropLast(".lnote".count)))
    let pages = notes.pages.map { JSONValue.string(String($0.name.description.dropLast(".content".count))) }
    var number: Int64 = 1
    var statuses: Set<Int> = []
    var codes: Set<String> = []
    for run in 0..<LiveNotesTests.runs {
      var launch = try notes.workshop.launch("lnote-fsck", ["--json"] + (run % 3 == 2 ? ["--quick"] : []) + ["Notes"])
      launch.output = .file(notes.workshop.path.appending("said").bytes)
      let check = try ChildProcess(launch)
      var ending = try check.wait(milliseconds: 0)
      repeat {
        number += 1
        let answer = try store.ask([
          "number": .integer(number), "do": "add-stroke", "document": document, "page": pages[Int(number) % 2],
          "stroke": LiveNotesTests.stroke(number),
        ])
        #expect(answer["errors"]?.array == [])
        number += 1
        let saved = try store.ask([
          "number": .integer(number), "do": number % 6 < 2 ? "background" : "advance-until-saved",
        ])
        #expect(saved["errors"]?.array == [])
        ending = try check.wait(milliseconds: 0)
      } while ending == nil
      guard case .exited(let status)? = ending else {
        Issue.record("\(String(describing: ending))")
        return
      }
      statuses.insert(status)
      let lines = try JSONLines.parse(try notes.workshop.volume().bytes(of: "said"))
      for line in lines where line["type"]?.string == "problem" || line["type"]?.string == "error" {
        let code = line["code"]?.string ?? ""
        codes.insert(code)
        #expect(LiveNotesTests.harmless.contains(code), "\(line)")
        #expect(code == "LN0004" || line["severity"]?.string != "error", "\(line)")
      }
    }
    // 8 where it kept changing: that is not called sound, and not called damaged either.
    #expect(statuses.isSubset(of: [0, 8]), "\(statuses)")
    #expect(codes.contains("LN0002"))
    _ = try store.ask(["number": .integer(number + 1), "do": "close", "document": document])
    #expect(try notes.fsck(["--strict"]).ending == .exited(0))
  }

  private static func stroke(_ number: Int64) -> JSONValue {
    let samples = (0..<40 as Range<Int64>).flatMap { [$0 * 10, $0 * number % 900, 20, 500, $0 * 8] as [Int64] }
    return [
      "id": .string("00000000-0000-4000-8000-" + String(number + 0x1000_0000_0000, radix: 16).suffix(12)), "pen": 0,
      "colour": 255, "baseRadius": 20, "samples": .array(samples.map { .integer($0) }),
    ]
  }
}
