import Files
import Processes

/// Runs the command that judges a state, in the folder that shows it.
package struct StateCheck: Sendable {
  /// So much of what it says is kept.
  package static let outputBytesMax = 64 << 10

  private let command: [UInt8]
  private let place: BytePath
  private let input: BytePath
  private let limitMilliseconds: Int

  /// A command for sh(1) that runs in `place`, and reads `input`, what the program had said.
  package init(_ command: [UInt8], in place: BytePath, reading input: BytePath, limitMilliseconds: Int) {
    self.command = command
    self.place = place
    self.input = input
    self.limitMilliseconds = limitMilliseconds
  }

  /// Runs it; nil where `interrupt` became readable before its end, and it was killed.
  ///
  /// Whatever it has started in its process group ends with it. What does not end in time is unknown, and never good.
  package func run(interrupt: CInt) throws(ProcessCallError) -> Outcome? {
    let (reading, launch) = try prepare()
    return try follow(try ChildProcess(launch), reading, interrupt, nil) { _ in }
  }

  /// Runs it, and tells `whenSynced` of each sync(2) and its like before it takes effect.
  ///
  /// - Returns: the outcome, nil as for `run`, and whether such calls could be seen.
  package func run(
    interrupt: CInt, whenSynced: (SyncWatch.Call) -> Void
  ) throws(ProcessCallError) -> (outcome: Outcome?, isWatched: Bool) {
    let (reading, launch) = try prepare()
    let (child, watch) = try SyncWatch.start(launch)
    return (try follow(child, reading, interrupt, watch, whenSynced), watch != nil)
  }

  private func follow(
    _ child: ChildProcess, _ reading: Descriptor, _ interrupt: CInt, _ watch: SyncWatch?,
    _ whenSynced: (SyncWatch.Call) -> Void
  ) throws(ProcessCallError) -> Outcome? {
    let deadline = Deadline.after(milliseconds: limitMilliseconds)
    var output: [UInt8] = []
    var isOpen = true
    var listener = watch?.listener.number
    while true {
      let waits = [child.handle.number, interrupt, isOpen ? reading.number : nil, listener].compactMap { $0 }
      let ready = try waitReadable(waits, until: deadline).map { waits[$0] }
      if ready.isEmpty {
        try child.end()
        return Outcome(.unknown("no end within \(limitMilliseconds / 1000) s"), output: output)
      }
      if ready.contains(interrupt) {
        try child.end()
        return nil
      }
      if let number = listener, ready.contains(number) {
        guard let watch, let call = watch.next() else {
          listener = nil
          continue
        }
        whenSynced(call)
        watch.letPass(call)
      } else if isOpen, ready.contains(reading.number) {
        let piece = try readSome(from: reading.number, bytesMax: StateCheck.outputBytesMax, until: .never) ?? []
        isOpen = !piece.isEmpty
        output += piece.prefix(StateCheck.outputBytesMax - output.count)
      } else if ready.contains(child.handle.number) {
        // What it had written is there when it has ended; what it has left running may hold the pipe open.
        return Outcome(StateCheck.verdict(of: try child.end()), output: output)
      }
    }
  }

  private func prepare() throws(ProcessCallError) -> (reading: Descriptor, launch: Launch) {
    let pipe = try makePipe()
    var launch = Launch(program: Array("sh".utf8), arguments: [Array("-c".utf8), command])
    launch.environment = [("FAULTFS_DIR", place.description), ("PWD", place.description)]
    launch.workingDirectory = place.bytes
    launch.input = .file(input.bytes)
    launch.output = .descriptor(pipe.writing)
    launch.error = .descriptor(pipe.writing)
    launch.hasOwnGroup = true
    return (pipe.reading, launch)
  }

  private static func verdict(of ending: ProcessEnding) -> Verdict {
    ending.isSuccess ? .good : .failing(ending.description)
  }
}
