import FaultFS
import FileTracing
import Files
import JSON
import Options
import Terminal

let ctlVerb = Verb(
  "ctl", "arm faults, cut the power, wait and look, while a disk is mounted",
  options: [
    Option("json", "answer with a line of JSON, for scripts"),
    Option("timeout", value: .text("TIME"), "'wait' no longer than this, as 10s or 500ms"),
    Option("since", value: .number("N", 0...Int.max), group: .rest, "'wait operation' takes those behind record N too"),
    Option("all", group: .rest, "'clear' all faults"),
  ],
  operands: Operands(
    "MOUNT COMMAND [ARGUMENT]...", count: 1...Operands.countMax,
    "MOUNT is where the disk is mounted, anything on it, or its socket. Each command is answered once it took effect. "
      + "'faultfs ctl help' lists the commands"),
  examples: CtlRun.examples,
  exitStatuses: [
    ExitStatus(0, "done"), ExitStatus(1, "the wait timed out, or there is no fault of that name"),
    ExitStatus(2, "the command line is not right, or the server refused and says why"),
    ExitStatus(4, "there is no such mount, or its server does not answer"),
  ])

/// `faultfs ctl`: one request to the server of a mount, and its answer.
struct CtlRun {
  private let reading: OptionReading

  init(_ reading: OptionReading) { self.reading = reading }

  static let examples = [
    Example("faultfs ctl /tmp/disk arm 'EIO on fsync nth 1'", "the next fsync fails"),
    Example("faultfs ctl /tmp/disk wait fired fault-1 --timeout 10s", "no sleep in a test"),
    Example("faultfs ctl /tmp/disk power-cut && faultfs ctl /tmp/disk restart", "what was durable?"),
    Example("faultfs ctl \"$FAULTFS_DIR\" mark saved", "from a program under 'faultfs run'"),
  ]

  /// Does it; returns the exit status.
  func run() -> CInt {
    if reading.operands.count == 1 && reading.operands[0].text == "help" {
      try? OutputStream.output.write(CtlText.commands)
      return ExitCode.pass
    }
    do throws(Refusal) {
      let request = try self.request()
      let connection = try connect(to: reading.operands[0])
      let answer: ControlAnswer
      do throws(ControlFailure) {
        answer = try connection.ask(request)
      } catch {
        throw Refusal(ExitCode.environment, CtlRun.sentence(error))
      }
      return try show(answer, to: request)
    } catch {
      error.show()
      return error.status
    }
  }

  private func request() throws(Refusal) -> ControlRequest {
    guard reading.operands.count > 1 else {
      throw Refusal(ExitCode.usage, "say what to do: faultfs ctl MOUNT COMMAND. 'faultfs ctl help' lists the commands.")
    }
    let name = reading.operands[1]
    guard let command = CtlCommand.all.first(where: { $0.name == name.text }) else {
      let names = CtlCommand.all.map(\.name)
      let guess = nearest(to: name.text, among: names).map { " Did you mean \($0)?" } ?? ""
      throw Refusal(ExitCode.usage, "there is no command \"\(name)\".\(guess)")
    }
    let words = Array(reading.operands.dropFirst(2))
    guard command.count.contains(words.count) else {
      throw Refusal(ExitCode.usage, "write: faultfs ctl MOUNT \(command.usage)")
    }
    return try command.request(words, reading)
  }

  private func connect(to word: Word) throws(Refusal) -> ControlConnection {
    let path = try absoluteName(word)
    switch ControlTarget(at: path) {
    case .nothing: throw Refusal(ExitCode.environment, "no faultfs is mounted at \(path).")
    case .dead(let place):
      throw Refusal(
        ExitCode.environment,
        "the server of the mount at \(place) is gone. Take the mount away: umount -l \(place), or fusermount3 -uz \(place)."
      )
    case .sockets(let sockets):
      do throws(ControlFailure) {
        return try ControlConnection(sockets)
      } catch {
        throw Refusal(ExitCode.environment, CtlRun.sentence(error))
      }
    }
  }

  private static func sentence(_ failure: ControlFailure) -> String {
    switch failure {
    case .noServer(_, let reason):
      "the server of the mount cannot be reached: \(reason). It may belong to another user, or have no socket (--fixed-plan)."
    case .broken(let reason): "\(reason)."
    }
  }

  /// Shows the answer; returns the exit status.
  private func show(_ answer: ControlAnswer, to request: ControlRequest) throws(Refusal) -> CInt {
    if reading.has("json") {
      var fields = answer.json(number: 0).object ?? [:]
      fields["number"] = nil
      try? OutputStream.output.write(String(decoding: JSONValue.object(fields).serialized(), as: UTF8.self) + "\n")
    } else {
      switch answer {
      case .refused(let reason):
        if reason.hasSuffix("\n") { try? OutputStream.error.write(reason) } else { complain(printable(reason)) }
      case .timedOut: complain("waited in vain")
      default: try? OutputStream.output.write(CtlText.lines(of: answer))
      }
    }
    switch answer {
    case .timedOut: return ExitCode.nothing
    case .refused: return request.asksForRule ? ExitCode.nothing : ExitCode.usage
    default: return ExitCode.pass
    }
  }
}

extension ControlRequest {
  /// True where a refusal means that there is no rule of the name.
  fileprivate var asksForRule: Bool {
    switch self {
    case .clear, .wait(.fired, _): true
    default: false
    }
  }
}

/// Answers of the server, for people.
enum CtlText {
  /// Every command with what it does, two lines each.
  static var commands: String { CtlCommand.all.map { "\($0.usage)\n    \($0.sentence)\n" }.joined() }

  /// The lines, each with its newline; none where there is nothing to say.
  static func lines(of answer: ControlAnswer) -> String {
    switch answer {
    case .done, .timedOut, .refused: ""
    case .armed(let name): "\(printable(name))\n"
    case .happened(let record): record.map { "\($0.line)\n" } ?? ""
    case .records(let records): records.map { "\($0.line)\n" }.joined()
    case .rules(let rules, let space): rules.map(lines).joined() + (space.map(lines) ?? "")
    case .stats(let stats): lines(of: stats)
    case .status(let status): lines(of: status)
    }
  }

  private static func lines(of space: ControlSpace) -> String {
    "\(space.bound.text)\n  \(space.left.amounts) left\n"
  }

  private static func lines(of rule: ControlRule) -> String {
    let head = "\(printable(rule.rule.name))  \(printable(rule.rule.text))\n"
    let label = rule.rule.label.map { "  \($0)\n" } ?? ""
    let counts = "\(label)  matched \(rule.matched), fired \(rule.fired)\n"
    return head + counts + rule.firings.map { "  \($0.line)\n" }.joined()
  }

  private static func lines(of stats: ControlStats) -> String {
    let kinds = OperationKind.allCases.compactMap { kind in stats.operations[kind].map { (kind.rawValue, "\($0)") } }
    return columns(kinds + stats.numbers.map { ($0.name, "\($0.value)") })
  }

  private static func lines(of status: ControlStatus) -> String {
    columns([
      ("process", "\(status.server)"), ("mounted", printable(status.mountPoint.bytes)),
      ("for", Figures.time(milliseconds: Int(clamping: status.milliseconds))),
      ("condition", status.condition == .running ? "running" : "cut: everything is EIO until 'restart'"),
      ("faults", "\(status.rules) armed, \(status.firings.count) firings" + (status.holdsFaults ? ", held" : "")),
      ("operations", "\(status.counts.values.reduce(0, +))"), ("last record", "\(status.lastRecord)"),
      ("memory", Figures.size(bytes: Int(clamping: status.dataBytes))),
      ("sync(2)", status.seesSync ? "seen" : "not seen: the kernel answers it"),
    ])
  }

  private static func columns(_ rows: [(name: String, value: String)]) -> String {
    let width = rows.map(\.name.count).max() ?? 0
    return rows.map { $0.name + String(repeating: " ", count: width - $0.name.count + 2) + $0.value + "\n" }.joined()
  }
}
