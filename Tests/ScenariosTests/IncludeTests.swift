import Testing

@testable import Scenarios

/// Files that include others: what comes of it, and where diagnostics say it is.
@Suite struct IncludeTests {
  private static let head = "scenario v1 \"part\"\n"

  private func read(_ text: String, _ parts: [String: String], pictures: [String: [UInt8]] = [:]) -> ScenarioReading {
    let files = ScenarioFiles { path, bytesMax in
      let found = parts[path].map { Array((IncludeTests.head + $0).utf8) } ?? pictures[path]
      guard let found, found.count <= bytesMax else { return .failure(.init(reason: "No such file or directory")) }
      return .success(found)
    }
    return ScenarioReading.read(
      Array(ScenarioTexts.withSteps(text).utf8), file: "my/bg.scn", vocabulary: ScenarioTexts.vocabulary, files: files)
  }

  @Test func whatIsIncludedStandsInItsPlace() throws {
    let parts = [
      "parts/pens.scn": "include \"more.scn\"\ndefine draw(page) {\n  stroke $page points $n\n}\nnote \"in\"\n",
      "parts/more.scn": "param n = 7\n",
    ]
    let reading = read("note \"before\"\ninclude \"parts/pens.scn\"\ninclude \"parts/more.scn\"\ndo draw(p1)\n", parts)
    #expect(reading.text == "")
    let steps = try #require(reading.scenario).steps
    #expect(
      steps.map(\.description) == [
        "note \"before\"", "note \"in\" (in parts/pens.scn)", "stroke p1 points 7 (in parts/pens.scn)",
      ])
    #expect(steps.map(\.place.line) == [3, 6, 4])
  }

  static let wrong: [(steps: String, parts: [String: String], text: String)] = [
    (
      "include \"a.scn\"", [:],
      """
      my/bg.scn:3:9: error: 'a.scn' cannot be included: No such file or directory
        include "a.scn"
                ^~~~~~~

      """
    ),
    (
      "include \"sub/a.scn\"", ["sub/a.scn": "include \"../b.scn\"\n", "b.scn": "include \"sub/a.scn\"\n"],
      """
      my/b.scn:2:9: error: this never ends: sub/a.scn includes b.scn includes sub/a.scn
        include "sub/a.scn"
                ^~~~~~~~~~~

      """
    ),
    (
      "include \"bg.scn\"", [:],
      """
      my/bg.scn:3:9: error: this never ends: bg.scn includes bg.scn
        include "bg.scn"
                ^~~~~~~~

      """
    ),
    (
      "include \"a.scn\"", ["a.scn": "stroke p1\nstrok p1\n"],
      """
      my/a.scn:3:1: error: unknown step 'strok' - did you mean 'stroke'?
        strok p1
        ^~~~~

      """
    ),
    (
      "include \"a.scn\"; do d()", ["a.scn": "define d() { stroke p9 }\n"],
      """
      my/a.scn:2:21: error: page 'p9' does not exist here; pages: p1, p2
        define d() { stroke p9 }
                            ^~

      """
    ),
  ]

  @Test(arguments: wrong) func saysWhere(steps: String, parts: [String: String], text: String) {
    let reading = read(steps, parts)
    #expect(reading.scenario == nil)
    #expect(reading.text == text)
  }

  @Test(arguments: [(8, true), (9, false)]) func boundsDepth(depth: Int, isRight: Bool) {
    var parts = ["a\(depth).scn": "note \"deep\"\n"]
    for number in 1..<depth { parts["a\(number).scn"] = "include \"a\(number + 1).scn\"\n" }
    let reading = read("include \"a1.scn\"", parts)
    #expect((reading.scenario != nil) == isRight)
    #expect(
      reading.diagnostics.map(\.message) == (isRight ? [] : ["files include each other at most 8 deep"]))
  }

  @Test func boundsFiles() {
    let names = (1...64).map { "a\($0).scn" }
    let parts = Dictionary(uniqueKeysWithValues: names.map { ($0, "note \"x\"\n") })
    let reading = read(names.map { "include \"\($0)\"\n" }.joined(), parts)
    #expect(reading.diagnostics.map(\.message) == ["a scenario is made of at most 64 files"])
  }

  @Test func aPictureComesFromItsFile() throws {
    let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 1, 2]
    let pictures = ["sub/a.jpg": jpeg, "b.jpg": [1, 2, 3]]
    let reading = read(
      "include \"sub/a.scn\"\n", ["sub/a.scn": "insert-image p1 file \"a.jpg\" as a\n"], pictures: pictures)
    #expect(reading.text == "")
    guard case .insertImage(let step) = try #require(reading.scenario).steps[0].action else {
      return #expect(Bool(false))
    }
    #expect(step.jpeg == jpeg)
    #expect(step.sizeBytes == 6)
    #expect(
      read("insert-image p1 file \"b.jpg\"", [:], pictures: pictures).diagnostics.map(\.message)
        == ["'b.jpg' is no JPEG picture"])
  }
}
