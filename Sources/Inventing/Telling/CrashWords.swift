import Harness

/// The name of a crash state, "at write of page p1, lost: write of image a1 [b12c6611]", taken apart.
struct CrashWords {
  /// "at write of page p1".
  let moment: String
  /// "write of image a1"; nil where everything was kept.
  let lost: String?

  init(_ name: String) {
    let parts = name.firstRange(of: ", lost: ")
    moment = String(parts.map { name[..<$0.lowerBound] } ?? name[...])
    var words = parts.map { String(name[$0.upperBound...]) } ?? "nothing"
    if words.hasSuffix("]"), let mark = words.lastIndex(of: "[") { words = String(words[..<mark]) }
    while words.last == " " { words.removeLast() }
    lost = words == "nothing" ? nil : words
  }

  /// "after a crash at write of page p1, which lost write of image a1".
  var sentence: String { "after a crash \(moment)" + (lost.map { ", which lost \($0)" } ?? "") }

  /// Steps of a scenario that may leave the state of an example: to be tried, the likeliest first.
  static func lines(_ example: SweepReport.Example) -> [String] {
    if let line = example.again { return [line] }
    guard let name = example.stateName else { return [] }
    let words = CrashWords(name)
    if words.lost != nil { return [] }
    guard words.moment.hasPrefix("at ") else { return ["power-cut keep-all"] }
    let operation = words.moment.dropFirst(3)
    return [1, 2, 3].flatMap { nth in
      ["before", "during", "after"].map { "power-cut keep-all on \(operation) nth \(nth) \($0) {" }
    }
  }
}
