import Glibc
import LNoteFsck
import Processes
import Synchronization
import Terminal

/// Asks on the terminal before each repair: `--ask`.
final class Questions: Sendable {
  /// No line of a terminal is longer.
  private static let lineBytesMax = 4096
  /// How long it is before it sees that the user ends the run.
  private static let pauseMilliseconds = 50

  /// Why nothing can be asked.
  static let needTerminal =
    "--ask asks on a terminal, and standard input or standard error is none. Use --plan to read what would be done."

  /// True where a question can be read and answered.
  static var canBeAsked: Bool { isatty(STDIN_FILENO) == 1 && OutputStream.error.isTerminal }

  private let permission = Mutex(RepairPermission())
  private let progress: ProgressReport
  private let interruption: Interruption

  /// Questions that take the place of the line of progress, and end when the user ends the run.
  init(_ progress: ProgressReport, _ interruption: Interruption) {
    self.progress = progress
    self.interruption = interruption
  }

  /// True where the user wants to be asked no more, and nothing to be done.
  var isOver: Bool { permission.withLock { $0.rest == false } }

  /// Asks about the repairs of the document that is shown like this.
  func permits(_ shown: String) -> @Sendable (PackageReport) -> Bool { { self.permit($0, of: shown) } }

  /// Whether the repair that the report tells of may be done.
  private func permit(_ report: PackageReport, of shown: String) -> Bool {
    if let rest = permission.withLock({ $0.rest }) { return rest }
    if interruption.isStopped { return false }
    progress.erase()
    // What was typed before the question was there is no answer to it.
    tcflush(STDIN_FILENO, TCIFLUSH)
    var text = TextReport.question(report, shown: shown, paint: OutputStream.error.paint(.auto))
    while true {
      let answer = ask(text + Sentences.mayThisBeDone)
      if let answer, let isPermitted = permission.withLock({ $0.take(answer) }) { return isPermitted }
      text = answer == nil ? Sentences.thatIsNoAnswer : Sentences.whatAnswersMean
    }
  }

  /// The answer; nil where what was typed is none. Where nothing more comes, everything is left.
  private func ask(_ text: String) -> RepairAnswer? {
    guard (try? OutputStream.error.write(text)) != nil, let line = nextLine() else {
      try? OutputStream.error.write("\n")
      return .quit
    }
    return RepairAnswer(line: line)
  }

  /// What was typed, without its end; nil at the end of the input, and where the user ends the run.
  private func nextLine() -> [UInt8]? {
    var line: [UInt8] = []
    while !interruption.isStopped {
      let pause = Deadline.after(milliseconds: Questions.pauseMilliseconds)
      let piece: [UInt8]?
      do throws(ProcessCallError) {
        piece = try readSome(from: STDIN_FILENO, bytesMax: Questions.lineBytesMax, until: pause)
      } catch {
        return nil
      }
      guard let piece else { continue }
      if piece.isEmpty { return nil }
      line += piece
      if line.last == UInt8(ascii: "\n") { return line.dropLast() }
      if line.count > Questions.lineBytesMax { return [] }
    }
    return nil
  }
}
