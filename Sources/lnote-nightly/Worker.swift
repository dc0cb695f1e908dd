import Campaigns
import Files
import Inventing
import JSON
import Processes

/// A process that runs cases, as its supervisor sees it.
final class Worker: Sendable {
  /// What came of asking it.
  enum Answer {
    case record(CampaignRecord)
    /// It is gone, and how.
    case ended(String)
    /// It took too long, and was killed.
    case silent
  }

  let process: ChildProcess
  private let lines: LineChannel

  /// A new process, with its orders.
  init(_ folder: RunFolder, _ plan: CampaignPlan) throws(Refusal) {
    do {
      let program = try Host.programPath()
      var launch = Launch(program: program.bytes, arguments: [Array("worker".utf8)])
      launch.input = .pipe
      launch.output = .pipe
      launch.hasOwnGroup = true
      launch.crashesQuietly = true
      process = try ChildProcess(launch)
      lines = process.lines()
      let orders = WorkerCommand.Orders(
        folder: folder.path, inventor: ScenarioInventor(plan.invention),
        stepsMax: plan.stepsMax)
      try lines.send(orders.json.serialized())
    } catch {
      throw Refusal(4, "no worker can be started: \(error)")
    }
  }

  /// Has it run a case.
  func ask(_ planned: PlannedCase, seed: UInt64, milliseconds: Int) -> Answer {
    let order: JSONValue = .object(["case": .string(planned.identity), "seed": .string("\(seed)")])
    do throws(ProcessCallError) {
      try lines.send(order.serialized())
      if let line = try lines.receive(until: .after(milliseconds: milliseconds)),
        let json = try? JSONValue.parse(line), let record = try? CampaignRecord(json: json)
      {
        return .record(record)
      }
    } catch {
      if error.isTimeout {
        _ = try? process.end()
        return .silent
      }
    }
    return .ended((try? process.end())?.description ?? "an unknown cause")
  }

  /// Lets it end by itself: an empty line says that there is no more.
  func end() {
    try? lines.send([])
    if (try? process.wait(milliseconds: 5000)) == .some(nil) { _ = try? process.end() }
  }
}
