import FileTracing
import Terminal

/// What the faults of a mount did, for people.
///
///     faultfs: 1 of 2 faults fired, in 57 operations
///       EIO on fsync nth 3
///         fired once
///         14 [9] fsync a.txt: EIO by 4711 !fault-1
///       ENOSPC on write of "*.db"
///         never fired; no operation of its kind and name
///       free-space 64KiB
///         12KiB left
struct FaultReport {
  private let rules: [ControlRule]
  private let space: ControlSpace?
  private let operations: Int
  private let isKnown: Bool

  init(rules: [ControlRule], space: ControlSpace? = nil, operations: Int, isKnown: Bool = true) {
    self.rules = rules
    self.space = space
    self.operations = operations
    self.isKnown = isKnown
  }

  /// Asks the server of a mount.
  init(asking mount: PrivateMount) {
    guard case .rules(let rules, let space)? = mount.ask(.list), case .status(let status)? = mount.ask(.status) else {
      self.init(rules: [], operations: 0, isKnown: false)
      return
    }
    self.init(rules: rules, space: space, operations: status.counts.values.reduce(0, +))
  }

  /// The lines, each with its newline.
  var text: String {
    guard isKnown else { return "faultfs: what the faults did is not known: their disk was taken away\n" }
    let counted = Figures.counted(operations, "operation")
    let space = space.map { "  \($0.bound.text)\n    \($0.left.amounts) left\n" } ?? ""
    if rules.isEmpty { return "faultfs: no fault was armed, in \(counted)\n" + space }
    let fired = rules.count { $0.fired > 0 }
    let head = "faultfs: \(fired) of \(Figures.counted(rules.count, "fault")) fired, in \(counted)\n"
    return head + rules.map(FaultReport.lines).joined() + space
  }

  private static func lines(_ rule: ControlRule) -> String {
    var lines = "  \(printable(text(of: rule.rule)))\n"
    if let label = rule.rule.label { lines += "    \(label)\n" }
    if rule.fired == 0 {
      let seen =
        rule.matched == 0
        ? "no operation of its kind and name"
        : "\(Figures.counted(Int(clamping: rule.matched), "operation")) of its kind and name"
      return lines + "    never fired; \(seen)\n"
    }
    let times = rule.fired == 1 ? "once" : "\(Figures.grouped(Int(clamping: rule.fired))) times"
    lines += "    fired \(times)\n"
    for record in rule.firings { lines += "    \(time(record))\(record.line)\n" }
    let more = Int(clamping: rule.fired) - rule.firings.count
    if more > 0 { lines += "    and \(Figures.grouped(more)) more\n" }
    return lines
  }

  /// The rule as it was written: with its name, unless that is one of those that faults without a name get.
  private static func text(of rule: FaultRule) -> String {
    let isGiven = !rule.name.contains(" ") && !rule.name.hasPrefix("fault-")
    return (rule.isOptional ? "maybe " : "") + (isGiven ? "\(rule.name) = " : "") + rule.bareText
  }

  /// "09:41:07.123 ", UTC; empty where the record has no time.
  private static func time(_ record: OperationRecord) -> String {
    guard record.time > 0 else { return "" }
    let milliseconds = record.time / 1_000_000
    let (seconds, rest) = (milliseconds / 1000 % 86_400, milliseconds % 1000)
    func padded(_ number: Int64, _ width: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    return "\(padded(seconds / 3600, 2)):\(padded(seconds / 60 % 60, 2)):\(padded(seconds % 60, 2)).\(padded(rest, 3)) "
  }
}
