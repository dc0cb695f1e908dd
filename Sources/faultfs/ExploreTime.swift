import Glibc
import Processes

/// How much of its time an exploration has used, and whether a signal asks it to end.
///
/// A signal stays unread until the report is made, so that whoever looks sees it.
final class ExploreTime: Sendable {
  private let signals: SignalWatch
  private let start = monotonicNanoseconds()
  /// Nil is without limit.
  private let budgetNanoseconds: Int64?
  /// When the judging ends.
  let deadline: Deadline
  /// When the judging of the first crashes ends; second ones have the rest.
  let deadlineOfStates: Deadline

  /// States get this part of the budget, so that there is time to judge them.
  private static let partForStates = 0.5
  /// Where there are second crashes, too, this part of the budget is over when they are looked at.
  private static let partForFirst = 0.75
  /// Names and a fix are looked for until so many budgets are used.
  private static let budgetsAtMost: Int64 = 2

  init(_ settings: ExploreSettings, _ signals: SignalWatch) {
    self.signals = signals
    budgetNanoseconds = settings.budgetMilliseconds.map { Int64($0) * 1_000_000 }
    deadline = settings.budgetMilliseconds.map { Deadline.after(milliseconds: $0) } ?? .never
    guard settings.depth > 1, let milliseconds = settings.budgetMilliseconds else {
      deadlineOfStates = deadline
      return
    }
    deadlineOfStates = .after(milliseconds: Int(Double(milliseconds) * Self.partForFirst))
  }

  /// Readable where a signal has come.
  var interrupt: CInt { signals.descriptor.number }

  /// True where a signal has come.
  var isInterrupted: Bool { signals.hasArrival }

  /// True where what helps to understand the findings has taken too long, or a signal has come.
  var isOverdue: Bool {
    isInterrupted || budgetNanoseconds.map { elapsed > $0 * Self.budgetsAtMost } ?? false
  }

  /// True where no more is to be judged.
  var isOver: Bool { isInterrupted || deadline.hasPassed }

  /// How much is used of the time for the states of one model of several, which follow each other; from 1 on all of it.
  func used(byModel place: Int, of count: Int) -> Double {
    if isInterrupted { return .infinity }
    guard let budgetNanoseconds else { return 0 }
    let each = Double(budgetNanoseconds) * Self.partForStates / Double(count)
    return Double(elapsed) / each - Double(place)
  }

  /// The signal that has come, which is read by that.
  func signal() -> CInt? { (try? signals.next(until: .after(milliseconds: 0))) ?? nil }

  private var elapsed: Int64 { monotonicNanoseconds() - start }
}
