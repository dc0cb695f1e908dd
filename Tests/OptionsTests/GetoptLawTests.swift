import CGetopt
import Glibc
import Testing

@testable import Options

/// The grammar is that of the real getopt_long(3), on words made up from a seed.
@Suite(.serialized)  // getopt_long has one state for the whole process.
struct GetoptLawTests {
  static let tables: [[Option]] = [
    [
      Option("all", short: "a", "x"), Option("also", "x"), Option("to", short: "t", value: .text("X"), "x"),
      Option("color", short: "c", value: .text("X"), valueIsOptional: true, "x"),
      Option("colors", value: .text("X"), "x"), Option("plan", short: "p", "x"),
    ],
    [Option("only", "x")],
    [Option("only", short: "o", value: .text("X"), "x")],
    [Option("value", short: "v", value: .text("X"), valueIsOptional: true, "x"), Option("v", "x")],
    [],
  ]

  /// What both sides are brought to.
  enum Seen: Hashable {
    case option(Int, String?)
    case missing(Int)
    case wrong(letter: UInt8?)
  }

  @Test(arguments: tables.indices, [false, true])
  func equalsGetoptLong(table: Int, endsAtOperand: Bool) {
    let options = GetoptLawTests.tables[table]
    var numbers = SeededNumbers(seed: UInt64(table * 2 + (endsAtOperand ? 1 : 0)))
    for _ in 0..<2000 {
      let words = (0..<numbers.below(7)).map { _ in madeUpWord(&numbers) }
      let ours = scanned(words, options, endsAtOperand)
      let theirs = scannedByGetopt(words, options, endsAtOperand)
      guard ours.seen == theirs.seen && ours.operands == theirs.operands else {
        Issue.record("\(words): ours \(ours), getopt_long \(theirs)")
        return
      }
    }
  }

  @Test func theLawCanFail() {
    let options = [Option("all", "x")]
    #expect(scanned(["--al"], options, false).seen == scannedByGetopt(["--al"], options, false).seen)
    #expect(scanned(["--al"], options, false).seen != scannedByGetopt(["--bl"], options, false).seen)
  }

  private func madeUpWord(_ numbers: inout SeededNumbers) -> String {
    let pieces = [
      "-", "--", "a", "al", "all", "also", "c", "co", "color", "colors", "colorsx", "t", "to", "p", "plan", "v",
      "value", "o", "only", "=", "x", "é", "-", "",
    ]
    let starts = ["", "-", "--", "--", "-"]
    let whole = ["--", "-", "", "---", "--=", "-=", "--all", "--to", "-t", "file", "--color=", "-c", "--=x"]
    if numbers.below(3) == 0 { return whole[numbers.below(whole.count)] }
    return starts[numbers.below(starts.count)]
      + (0..<(1 + numbers.below(3))).map { _ in pieces[numbers.below(pieces.count)] }.joined()
  }

  private func scanned(
    _ words: [String], _ options: [Option], _ endsAtOperand: Bool
  ) -> (seen: [Seen], operands: [String]) {
    let result = OptionScanner(options: options, endsAtOperand: endsAtOperand).scan(words.map { Word($0) })
    let seen: [Seen] = result.events.map { event in
      switch event {
      case .option(let index, let value): return .option(index, value?.text)
      case .problem(.valueMissing(let long), _): return .missing(options.firstIndex { $0.long == long } ?? -1)
      case .problem(_, let word):
        // The letter "-" and the empty long name are written alike.
        let isLetter = word.bytes.count == 2 && word.bytes != [0x2D, 0x2D]
        return .wrong(letter: isLetter ? word.bytes[1] : nil)
      }
    }
    return (seen, result.operands.map(\.text))
  }

  private func scannedByGetopt(
    _ words: [String], _ options: [Option], _ endsAtOperand: Bool
  ) -> (seen: [Seen], operands: [String]) {
    let names = options.map { strdup($0.long) }
    var pointers = (["program"] + words).map { strdup($0) } + [nil]
    // getopt_long moves the pointers, so these keep what must be freed.
    let all = pointers + names
    defer { for pointer in all { free(pointer) } }
    let rows = options.indices.map { index in
      cgetopt_option(
        long_name: names[index], short_name: CChar(bitPattern: options[index].shortByte ?? 0),
        takes: options[index].value == nil ? 0 : options[index].valueIsOptional ? 2 : 1)
    }
    let eventsMax = 64
    var events = [cgetopt_event](repeating: cgetopt_event(), count: eventsMax)
    var begin: CInt = 0
    let count = cgetopt_scan(
      CInt(words.count + 1), &pointers, CInt(rows.count), rows, endsAtOperand ? 1 : 0, CInt(eventsMax), &events, &begin)
    let seen: [Seen] = events.prefix(Int(count)).map { event in
      switch event.kind {
      case cgetopt_OPTION: .option(Int(event.index), event.value.map { String(cString: $0) })
      case cgetopt_MISSING: .missing(Int(event.index))
      default: .wrong(letter: [0, 0x2D].contains(event.letter) ? nil : UInt8(truncatingIfNeeded: event.letter))
      }
    }
    return (seen, pointers[Int(begin)...].compactMap { $0.map { String(cString: $0) } })
  }
}
