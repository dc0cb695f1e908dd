import Confirming
import CrashModel
import Exploring
import Processes

/// Asks the running kernel whether it leaves the states that fail, on the file systems of the models that say so.
final class ExploreConfirming {
  private let run: ExploredRun
  private let settings: ExploreSettings
  private let triesMax: Int
  private let time: ExploreTime
  /// By the place of the model; made when it is asked for first, nil for a model that no file system here stands for.
  private var confirmations: [Int: Confirmation?] = [:]

  /// Nil where nothing is to be confirmed.
  init?(_ run: ExploredRun, _ settings: ExploreSettings, _ time: ExploreTime) {
    guard let tries = settings.confirmTries else { return nil }
    self.run = run
    self.settings = settings
    self.time = time
    triesMax = tries
  }

  /// What the kernel said of a state, one line a model: "ext4-ordered: realised in try 3".
  ///
  /// Where a signal has come it is asked no more.
  func answers(about entry: StateTable.Entry, on models: Set<Int>) throws(Refusal) -> [String] {
    var lines: [String] = []
    for (model, state) in entry.states where models.contains(model) {
      let name = settings.models[model].name
      guard let confirmation = try confirmation(model) else {
        lines.append("\(name): cannot be asked here")
        continue
      }
      let time = time
      let answer: Confirmation.Answer
      do throws(ConfirmationError) {
        answer = try confirmation.realise(
          state.tree, during: state.moments.ranges, triesMax: triesMax, seed: settings.limits.seed
        ) { time.isInterrupted }
      } catch {
        throw Refusal(ExitCode.environment, "--confirm, \(name): \(error)")
      }
      if time.isInterrupted { return lines }
      lines.append("\(name): \(answer)")
    }
    return lines
  }

  private func confirmation(_ model: Int) throws(Refusal) -> Confirmation? {
    if let known = confirmations[model] { return known }
    var made: Confirmation?
    if CrashableFileSystem(settings.models[model]) != nil {
      do throws(ConfirmationError) {
        made = try Confirmation(run.recording, on: run.disk, as: settings.models[model])
      } catch {
        throw Refusal(ExitCode.environment, "--confirm, \(settings.models[model].name): \(error)")
      }
    }
    confirmations[model] = made
    return made
  }
}
