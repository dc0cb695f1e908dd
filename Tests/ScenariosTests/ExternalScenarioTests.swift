import Testing

@testable import Scenarios

/// Scenarios about other programs: which commands they come to.
@Suite struct ExternalScenarioTests {
  private func read(_ steps: String) -> ScenarioReading {
    ScenarioTexts.reading("scenario v1 \"test\"\nstore external\n\(steps)\n")
  }

  @Test func theExampleIsRead() throws {
    let reading = ScenarioReading.read(
      try ScenarioTexts.fixture("07-external-git.scn"), file: "bg.scn", vocabulary: ScenarioTexts.vocabulary)
    #expect(reading.text == "")
    let external = try #require(reading.external)
    #expect(reading.scenario == nil)
    #expect(external.program == "git")
    #expect(external.models == ["ext4-ordered"])
    #expect(external.setup.count == 2)
    let sweep = try #require(external.sweep)
    #expect(sweep.atMost == 2000)
    #expect(sweep.steps.map(\.line) == [12])
    #expect(sweep.check.map(\.status) == [0, 0])
  }

  @Test func commandsBecomeAScript() {
    let commands = [ExternalScenario.Command(line: 3, text: "echo 'a b'", status: 2)]
    #expect(
      ExternalScenario.script(commands)
        == "sh -c 'echo '\\''a b'\\'''; got=$?; test $got -eq 2 || "
        + "{ printf 'line 3: exit status %s, expected 2\\n' $got >&2; exit 1; }")
  }

  static let wrong: [(steps: String, head: String)] = [
    ("note \"x\"", "1:1: error: nothing is run: exec \"COMMAND\""),
    ("expect exit 0", "3:1: error: 'expect exit' stands behind the 'exec' that it is about"),
    (
      "document \"T\" { page p1 }", "3:1: error: with 'store external' there are no documents - commands make the files"
    ),
    ("exec \"a\"; mutant x", "3:11: error: this is about the note store, and says nothing with 'store external'"),
    ("exec \"a\"; model ext5", "3:17: error: unknown model 'ext5'"),
    ("for each crash in { exec \"a\" } check { }", "3:38: error: nothing is run in this block: exec \"COMMAND\""),
    ("exec \"a\"; expect exit 256", "3:23: error: an exit status is 0 to 255"),
    ("exec \"a\"; power-cut", "3:11: error: with 'store external' this version runs exec, expect exit, and one"),
    (
      "for each crash in { exec \"a\" } check { exec \"b\" }\nexec \"c\"",
      "4:1: error: behind the sweep nothing runs yet in this version"
    ),
  ]

  @Test(arguments: wrong) func saysWhatIsWrong(steps: String, head: String) {
    let reading = read(steps)
    #expect(reading.external == nil)
    let said = ScenarioTexts.heads(reading.text).first ?? ""
    #expect(said.hasPrefix("bg.scn:\(head)"), Comment(rawValue: said))
  }

  @Test func otherStoresStandElsewhere() {
    #expect(ScenarioTexts.reading("scenario v1 \"t\"\nstore external, snapshot\nexec \"a\"\n").external == nil)
    #expect(ScenarioTexts.reading("scenario v1 \"t\"\nstore snapshot\nexec \"a\"\n").external == nil)
    let alone = read("exec \"a\"").external
    #expect(alone != nil && alone?.sweep == nil)
  }
}
