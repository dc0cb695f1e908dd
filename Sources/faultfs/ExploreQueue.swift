import CrashModel
import Exploring
import FaultDisk
import Glibc
import Processes
import Synchronization
import Terminal

/// The states that wait to be judged, and what was said of them; any number of threads may work at it.
final class ExploreQueue: Sendable {
  /// A state, and the outputs with which it is judged.
  struct Question: Sendable {
    let place: Int
    let state: CrashState
    let outputCounts: [Int]
  }

  private struct Course {
    var nextPlace = 0
    var outcomes: [[Outcome]?]
    var answeredCount = 0
    var refusal: Refusal?
    /// True where a signal has ended a check.
    var isInterrupted = false
    var progress: ProgressLine
  }

  private let questions: [Question]
  private let deadline: Deadline
  private let start = monotonicNanoseconds()
  private let course: Mutex<Course>

  init(_ questions: [Question], until deadline: Deadline, showsProgress: Bool = true) {
    self.questions = questions
    self.deadline = deadline
    course = Mutex(
      Course(
        outcomes: questions.map { _ in nil },
        progress: ProgressLine(
          "judging", total: questions.count, unit: .things("states"), columns: OutputStream.error.columns,
          isShown: showsProgress && OutputStream.error.isTerminal, now: 0)))
  }

  /// What was answered, in the order of the questions, however it came about.
  var answers: [(question: Question, outcomes: [Outcome])] {
    let outcomes = course.withLock { $0.outcomes }
    return zip(questions, outcomes).compactMap { question, outcomes in outcomes.map { (question, $0) } }
  }

  /// Takes the line away that says how far it is.
  func endProgress() {
    let text = course.withLock { $0.progress.erase() }
    if let text { try? OutputStream.error.write(text) }
  }

  /// Answers one question after the other, until none is left, the time is over, or another thread could not go on.
  ///
  /// Where `judge` says nil, a signal has come, and nothing more is asked.
  func answer(_ judge: (DiskTree, _ outputCount: Int) throws(Refusal) -> Outcome?) throws(Refusal) {
    while let number = next() {
      let tree = questions[number].state.tree
      var outcomes: [Outcome] = []
      for count in questions[number].outputCounts {
        guard let outcome = try judge(tree, count) else { return course.withLock { $0.isInterrupted = true } }
        outcomes.append(outcome)
      }
      put(outcomes, for: number)
    }
  }

  /// Answers with so many benches at once, each on a thread of its own; the first that cannot go on ends all.
  func answer(
    onBenches count: Int, _ check: [UInt8], _ settings: ExploreSettings, _ run: ExploredRun,
    _ workshop: ExploreWorkshop, _ time: ExploreTime
  ) throws(Refusal) {
    var ends: [Descriptor] = []
    do throws(ProcessCallError) {
      for number in 1...count {
        let end = try makePipe()
        try startThread { [writing = end.writing] in
          // The other end tells that the thread is done by being closed.
          withExtendedLifetime(writing) {
            self.work { () throws(Refusal) in
              let bench = try ExploreBench(number, check, settings, run, workshop, time)
              try self.answer { (tree, count) throws(Refusal) in try bench.outcome(of: tree, outputCount: count) }
            }
          }
        }
        ends.append(end.reading)
      }
    } catch {
      refuse(Refusal(ExitCode.environment, "\(error)"))
    }
    for end in ends { _ = try? waitReadable([end.number], until: .never) }
    if let refusal = course.withLock({ $0.refusal }) { throw refusal }
  }

  private func work(_ body: () throws(Refusal) -> Void) {
    do throws(Refusal) { try body() } catch { refuse(error) }
  }

  private func refuse(_ refusal: Refusal) {
    course.withLock { $0.refusal = $0.refusal ?? refusal }
  }

  private func next() -> Int? {
    if deadline.hasPassed { return nil }
    return course.withLock { course in
      guard course.refusal == nil, !course.isInterrupted, course.nextPlace < questions.count else { return nil }
      course.nextPlace += 1
      return course.nextPlace - 1
    }
  }

  private func put(_ outcomes: [Outcome], for number: Int) {
    let now = Int((monotonicNanoseconds() - start) / 1_000_000)
    let text = course.withLock { course in
      course.outcomes[number] = outcomes
      course.answeredCount += 1
      return course.progress.update(done: course.answeredCount, now: now)
    }
    if let text { try? OutputStream.error.write(text) }
  }
}
