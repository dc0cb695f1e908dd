import Files
import Glibc
import JSON
import Processes
import TestSupport
import Testing

/// A signal ends `lnote-scenario explore` soon, and what was found until then is told.
@Suite struct ScenarioExploreEndingTests {
  /// Much more than one would wait for.
  private static let scenario = """
    scenario v1 "a long day"
    document "Diary" { page p1 }
    repeat 2000 { stroke p1 points 500; background }
    """

  @Test(arguments: [SIGTERM, SIGINT]) func aSignalEndsIt(_ signal: CInt) throws {
    let workshop = try Workshop()
    try workshop.volume().make("day.scn", text: Self.scenario)
    var launch = try workshop.launch("lnote-scenario", ["explore", "--json", "found.json", "day.scn"])
    launch.input = .pipe
    launch.output = .pipe
    let run = try ChildProcess(launch)
    while try !Self.isOnItsWay(run.id) { _ = try waitReadable([], until: .after(milliseconds: 1)) }
    run.send(signal: signal)
    let lines = run.lines()
    var text = ""
    while let line = try lines.receive(until: .after(milliseconds: Workshop.millisecondsMax)) {
      text += String(decoding: line, as: UTF8.self) + "\n"
    }
    #expect(try run.wait(milliseconds: Workshop.millisecondsMax) == .exited(128 + Int(signal)))
    #expect(text.contains("a signal ended it"), "\(text)")
    let json = try JSONValue.parse(try workshop.volume().bytes(of: "found.json"))
    #expect(json.array?.count == 1)
    #expect(json.array?.first?["verdict"]?.string == "inconclusive")
    #expect(try workshop.leftBehind() == [])
  }

  /// True where a process has used so much of the processor that it has read its files long ago.
  private static func isOnItsWay(_ process: Int32) throws -> Bool {
    let stat = try HostVolume(root: BytePath("/proc/\(process)")).readWhole("stat", sizeMax: 1 << 16)
    let fields = String(decoding: stat, as: UTF8.self).split(separator: " ")
    let ticks = try #require(fields.count > 13 ? Int(fields[13]) : nil)
    return ticks >= 30
  }
}
