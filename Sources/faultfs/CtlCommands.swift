import FileTracing
import Files
import Options

/// A command of `faultfs ctl`: how it is written, what it does, and how its words become a request.
struct CtlCommand: Sendable {
  /// The word.
  let name: String
  /// What stands behind it, as the help shows it.
  let placeholder: String
  /// How many words may stand behind it.
  let count: ClosedRange<Int>
  /// What it does, in a few words.
  let sentence: String
  /// Makes the request.
  let request: @Sendable ([Word], OptionReading) throws(Refusal) -> ControlRequest
}

extension CtlCommand {
  /// All commands, in the order of the help and of the documentation.
  static let all: [CtlCommand] = faults + disk + looking + waiting

  private static let faults = [
    CtlCommand(
      name: "arm", placeholder: "FAULT", count: 1...1,
      sentence: "arm a fault, as 'EIO on fsync nth 3', or bound the space, as 'free-space 64KiB'; says its name"
    ) { (words, _) throws(Refusal) in .armText(words[0].text) },
    CtlCommand(
      name: "clear", placeholder: "NAME|free-space|--all", count: 0...1,
      sentence: "take a fault away, or the bound on space, or all of them"
    ) { (words, reading) throws(Refusal) in
      switch (words.first, reading.has("all")) {
      case (let name?, false): return .clear(name: name.text)
      case (nil, true): return .clearAll
      default: throw Refusal(ExitCode.usage, "'clear' takes the name of a fault, or --all.")
      }
    },
    CtlCommand(name: "list", placeholder: "", count: 0...0, sentence: "show the faults, what they saw and hit") {
      (_, _) throws(Refusal) in .list
    },
    CtlCommand(name: "hold", placeholder: "", count: 0...0, sentence: "no fault counts or hits, until 'release'") {
      (_, _) throws(Refusal) in .holdFaults(true)
    },
    CtlCommand(name: "release", placeholder: "", count: 0...0, sentence: "faults count and hit again") {
      (_, _) throws(Refusal) in .holdFaults(false)
    },
  ]

  private static let disk = [
    CtlCommand(
      name: "power-cut", placeholder: "[keep-none|keep-all]", count: 0...1,
      sentence: "from now on everything is EIO; what is left is what fsync made durable, or everything"
    ) { (words, _) throws(Refusal) in
      let word = words.first?.text ?? SurvivingState.keepNone.rawValue
      guard let state = SurvivingState(rawValue: word) else {
        throw Refusal(ExitCode.usage, "'power-cut' takes keep-none or keep-all, and not \"\(word)\".")
      }
      return .powerCut(state)
    },
    CtlCommand(
      name: "restart", placeholder: "", count: 0...0, sentence: "mount again with what survived the power cut"
    ) { (_, _) throws(Refusal) in .restart },
    CtlCommand(
      name: "free-space", placeholder: "SIZE|unlimited [INODES]", count: 1...2,
      sentence: "so much is left from now on, as 64KiB"
    ) { (words, _) throws(Refusal) in
      let bytes = words[0].text == "unlimited" ? nil : try CtlNumbers.bytes(words[0])
      return .setFreeSpace(bytes: bytes, inodes: try words.dropFirst().first.map(CtlNumbers.count))
    },
    CtlCommand(name: "unmount", placeholder: "", count: 0...0, sentence: "end the mount, with files open too") {
      (_, _) throws(Refusal) in .unmount
    },
  ]

  private static let looking = [
    CtlCommand(
      name: "status", placeholder: "", count: 0...0, sentence: "show process, condition, faults, memory"
    ) { (_, _) throws(Refusal) in .status },
    CtlCommand(name: "stats", placeholder: "", count: 0...0, sentence: "count operations, bytes, memory") {
      (_, _) throws(Refusal) in .stats
    },
    CtlCommand(name: "mark", placeholder: "TEXT", count: 1...1, sentence: "put a mark into the log") {
      (words, _) throws(Refusal) in .mark(words[0].text)
    },
    CtlCommand(
      name: "export", placeholder: "TREE", count: 1...1, sentence: "write the tree as it is now to a new directory"
    ) { (words, _) throws(Refusal) in .export(try absoluteName(words[0])) },
    CtlCommand(
      name: "write-log", placeholder: "FILE", count: 1...1, sentence: "write the log so far to a new file"
    ) { (words, _) throws(Refusal) in .writeLog(try absoluteName(words[0])) },
    CtlCommand(
      name: "begin-recording", placeholder: "", count: 0...0,
      sentence: "make durable what is there; log and counts begin anew"
    ) { (_, _) throws(Refusal) in .beginRecording },
  ]

  private static let waiting = [
    CtlCommand(
      name: "wait", placeholder: "fired NAME|mark TEXT|operation WORDS", count: 2...2,
      sentence: "until a fault has fired, a mark is there, or an operation comes, as 'fsync of \"*.txt\"'"
    ) { (words, reading) throws(Refusal) in
      let milliseconds = try reading.value("timeout").map(CtlNumbers.milliseconds)
      switch words[0].text {
      case "fired": return .wait(.fired(rule: words[1].text), milliseconds: milliseconds)
      case "mark": return .wait(.mark(words[1].text), milliseconds: milliseconds)
      case "operation":
        let since = reading.number("since").map { UInt64($0) }
        return .wait(.operation(words[1].text, since: since), milliseconds: milliseconds)
      default:
        throw Refusal(ExitCode.usage, "'wait' is for fired, mark or operation, and not \"\(words[0].text)\".")
      }
    }
  ]

  /// "power-cut [keep-none|keep-all]".
  var usage: String { placeholder.isEmpty ? name : "\(name) \(placeholder)" }
}

/// Numbers with their units, as a command line has them.
enum CtlNumbers {
  private static let sizes: [(unit: String, factor: UInt64)] = [
    ("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("TiB", 1 << 40), ("kB", 1000), ("MB", 1_000_000),
    ("GB", 1_000_000_000), ("TB", 1_000_000_000_000), ("B", 1), ("", 1),
  ]
  private static let times: [(unit: String, factor: UInt64)] = [
    ("ms", 1), ("min", 60_000), ("s", 1000), ("h", 3_600_000), ("", 1000),
  ]

  /// "64KiB", "1MB", "512".
  static func bytes(_ word: Word) throws(Refusal) -> UInt64 {
    guard let number = number(word.text, sizes) else {
      throw Refusal(ExitCode.usage, "\"\(word)\" is no size; write 512, 64KiB, 1MiB or unlimited.")
    }
    return number
  }

  /// "10s", "500ms", "2min"; without a unit seconds.
  static func milliseconds(_ word: Word) throws(Refusal) -> UInt64 {
    guard let number = number(word.text, times) else {
      throw Refusal(ExitCode.usage, "\"\(word)\" is no time; write 10s, 500ms or 2min.")
    }
    return number
  }

  /// A whole number from 0 on.
  static func count(_ word: Word) throws(Refusal) -> UInt64 {
    guard let number = number(word.text, [("", 1)]) else {
      throw Refusal(ExitCode.usage, "\"\(word)\" is no whole number.")
    }
    return number
  }

  static func number(_ text: String, _ units: [(unit: String, factor: UInt64)]) -> UInt64? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let unit = text.dropFirst(digits.count)
    guard let factor = units.first(where: { $0.unit == unit })?.factor, let number = UInt64(digits) else { return nil }
    let (product, overflows) = number.multipliedReportingOverflow(by: factor)
    return overflows ? nil : product
  }
}
