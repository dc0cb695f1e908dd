/// A line on a terminal that says how far the work is, and goes away at the end.
///
/// It holds no clock and writes nothing itself: each call gets the time and returns what to write on standard
/// error, or nil. So it is silent off a terminal, writes at most ten times a second, and can be tested.
package struct ProgressLine: Sendable {
  /// The least time between two updates, in milliseconds.
  package static let updateMilliseconds = 100
  /// Before this much time no estimate is given, in milliseconds.
  package static let estimateMillisecondsMin = 2000

  /// What is counted.
  package enum Unit: Hashable, Sendable {
    case bytes
    /// Things of this name, in the plural: "documents".
    case things(String)
  }

  private let label: String
  private let total: Int
  private let unit: Unit
  private let columns: Int
  private let isShown: Bool
  private let startMilliseconds: Int
  private var updatedMilliseconds: Int?
  private var isVisible = false

  /// A line that is shown from the first `update` on.
  ///
  /// - Parameters:
  ///   - label: what is done: "checking".
  ///   - total: how much there is to do, in `unit`; 0 where unknown.
  ///   - columns: of the terminal.
  ///   - isShown: false off a terminal; then every call returns nil.
  ///   - now: any steady clock in milliseconds.
  package init(_ label: String, total: Int, unit: Unit, columns: Int, isShown: Bool, now: Int) {
    self.label = label
    self.total = total
    self.unit = unit
    self.columns = columns
    self.isShown = isShown
    startMilliseconds = now
  }

  /// What to write now that `done` of `total` is done; nil for nothing.
  package mutating func update(done: Int, now: Int) -> String? {
    isDue(now) ? shown(text(done: done, now: now)) : nil
  }

  /// The same for words in the place of figures, as where the work stands still.
  package mutating func update(saying words: String, now: Int) -> String? { isDue(now) ? shown(words) : nil }

  private mutating func isDue(_ now: Int) -> Bool {
    guard isShown else { return false }
    if let updatedMilliseconds, now - updatedMilliseconds < ProgressLine.updateMilliseconds { return false }
    updatedMilliseconds = now
    return true
  }

  private mutating func shown(_ words: String) -> String {
    isVisible = true
    // One column stays free, so that no terminal breaks the line.
    return "\r\u{1B}[K" + truncated(words, columns: max(0, columns - 1))
  }

  /// What to write at the end, or before any other output; nil where nothing is shown.
  package mutating func erase() -> String? {
    guard isVisible else { return nil }
    isVisible = false
    return "\r\u{1B}[K"
  }

  private func text(done: Int, now: Int) -> String {
    guard total > 0 else { return "\(label): \(figure(done))\(name)" }
    let percent = Int((Double(max(0, min(done, total))) / Double(total) * 100).rounded(.down))
    return "\(label): \(figure(done)) of \(figure(total))\(name), \(percent) %\(estimate(done: done, now: now))"
  }

  private func figure(_ number: Int) -> String {
    unit == .bytes ? Figures.size(bytes: number) : Figures.grouped(number)
  }

  private var name: String {
    if case .things(let name) = unit { return " " + name }
    return ""
  }

  private func estimate(done: Int, now: Int) -> String {
    let elapsed = now - startMilliseconds
    guard elapsed >= ProgressLine.estimateMillisecondsMin, done > 0, done < total else { return "" }
    let left = Double(elapsed) * Double(total - done) / Double(done)
    let seconds = left < 1e9 ? max(1, Int((left / 1000).rounded(.up))) : 1_000_000
    // Whole seconds, so that the figure does not flicker.
    return ", about \(seconds < 60 ? "\(seconds) s" : Figures.time(milliseconds: seconds * 1000)) left"
  }
}
