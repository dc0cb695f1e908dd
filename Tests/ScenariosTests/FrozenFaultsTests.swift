import Testing

@testable import Scenarios

@Suite struct FrozenFaultsTests {
  private static let head = "scenario v1 \"x\"\n\ndocument \"T\" { page p1 }\n\n"

  typealias Row = (name: String, steps: String, rules: [String], hits: [String: [UInt64]], frozen: String?)
  static let rows: [Row] = [
    ("nothing of chance", "with maybe EIO on write nth 2 {\n  background\n}\n", ["line 5, fault 1"], [:], nil),
    (
      "as often as it hit",
      "with maybe EIO on write of page p1 probability 0.5 after and ENOSPC on fsync {\n  background\n}\n",
      ["line 5, fault 1", "line 5, fault 2"], ["line 5, fault 1": [2, 5], "line 5, fault 2": [1]],
      "with maybe EIO on write of page p1 nth 2 after and maybe EIO on write of page p1 nth 5 after "
        + "and ENOSPC on fsync {\n  background\n}\n"
    ),
    (
      "what hit nothing goes", "with maybe EIO on write probability 0.5 {\n  undo\n  background\n}\nclose\n",
      ["line 5, fault 1"], [:], "undo\nbackground\nclose\n"
    ),
    (
      "a cut", "power-cut on rename probability 0.5 before {\n  background\n}\n", ["line 5, fault 1"],
      ["line 5, fault 1": [3]], "power-cut on rename nth 3 before {\n  background\n}\n"
    ),
    (
      "a name", "maybe fault slow = slow 9ms on write probability 0.5 times 2\nbackground\nclear slow\n", ["slow"],
      ["slow": [1, 4]],
      "maybe fault slow = slow 9ms on write nth 1\nmaybe fault slow-2 = slow 9ms on write nth 4\nbackground\n"
        + "clear slow\nclear slow-2\n"
    ),
    (
      "armed twice in a line", "repeat 2 {\n  maybe fault EIO on write probability 0.5\n}\n",
      ["line 6, fault 1", "line 6, fault 2"], ["line 6, fault 1": [1]], nil
    ),
  ]

  @Test(arguments: rows.indices) func freezes(_ index: Int) {
    let row = Self.rows[index]
    let text = FrozenFaults.text(Self.head + row.steps, rules: row.rules, hits: row.hits)
    #expect(text == row.frozen.map { Self.head + $0 }, "\(row.name)")
  }
}
