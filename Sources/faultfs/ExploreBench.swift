import Exploring
import FaultDisk
import FaultFS
import Files
import Glibc
import Processes

/// A folder that shows one state after the other, and the check that looks at them.
///
/// Several can work at once. The check always runs where the program ran: the thread of another bench than the first
/// has a view of the mounts in which its own folder lies there.
final class ExploreBench {
  private let number: Int
  private let workshop: ExploreWorkshop
  private let folder: ShownFolder
  private let check: StateCheck
  private let output: OutputTimeline
  private let time: ExploreTime
  /// True where it has to be known whether the check has written.
  private let looksForWrites: Bool
  private var putCount: Int?

  /// The first bench, number 0, may be used on any thread; each other one on the thread that makes it.
  init(
    _ number: Int, _ check: [UInt8], _ settings: ExploreSettings, _ run: ExploredRun, _ workshop: ExploreWorkshop,
    _ time: ExploreTime
  ) throws(Refusal) {
    self.number = number
    self.workshop = workshop
    self.time = time
    looksForWrites = settings.depth > 1
    output = run.output
    let input = workshop.input(ofBench: number)
    self.check = StateCheck(
      check, in: workshop.place, reading: input, limitMilliseconds: settings.checkMilliseconds)
    let place = try refusing { () throws(FileCallError) in try workshop.folder(ofBench: number) }
    if number > 0 {
      do throws(ProcessCallError) {
        try leaveMounts { () throws(ProcessCallError) in
          try OwnView.begin(showing: place.bytes, at: workshop.place.bytes)
        }
      } catch {
        throw Refusal(
          ExitCode.environment,
          "-j: several checks at once need views of the mounts of their own, which root may have: \(error)")
      }
    }
    folder = try refusing { () throws(FileCallError) in try ShownFolder(place, run.disk) }
  }

  /// What the check says of a tree with the first so many bytes of the output; nil where a signal came before.
  func outcome(of tree: DiskTree, outputCount: Int) throws(Refusal) -> Outcome? {
    try refusing { () throws(FileCallError) in
      try folder.show(tree)
      if putCount != outputCount { try workshop.put(Array(output.bytes.prefix(outputCount)), atBench: number) }
    }
    putCount = outputCount
    var found: Outcome?
    do throws(ProcessCallError) {
      found = try check.run(interrupt: time.interrupt)
    } catch {
      throw Refusal(ExitCode.environment, "the check cannot be run: \(error)")
    }
    guard var outcome = found, looksForWrites, outcome.isGood else { return found }
    outcome.hasWritten = try refusing { () throws(FileCallError) in try folder.hasChanged() }
    return outcome
  }

  /// Makes the folder empty, so that a mount can lie there.
  func clear() throws(Refusal) {
    try refusing { () throws(FileCallError) in try folder.show(DiskTree(root: 1, nodes: [:], entries: [:])) }
  }
}
