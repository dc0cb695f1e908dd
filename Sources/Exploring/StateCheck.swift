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
    let (reading, child) = try start()
    let deadline = Deadline.after(milliseconds: limitMilliseconds)
    var output: [UInt8] = []
    var isOpen = true
    while true {
      let waits = [child.handle.number, interrupt] + (isOpen ? [reading.number] : [])
      let ready = try waitReadable(waits, until: deadline)
      if ready.isEmpty {
        try child.end()
        return Outcome(.unknown("no end within \(limitMilliseconds / 1000) s"), output: output)
      }
      if ready.contains(1) {
        try child.end()
        return nil
      }
      if ready.contains(2) {
        let piece = try readSome(from: reading.number, bytesMax: StateCheck.outputBytesMax, until: .never) ?? []
        isOpen = !piece.isEmpty
        output += piece.prefix(StateCheck.outputBytesMax - output.count)
      } else if ready.contains(0) {
        // What it had written is there when it has ended; what it has left running may hold the pipe open.
        return Outcome(StateCheck.verdict(of: try child.end()), output: output)
      }
    }
  }

  private func start() throws(ProcessCallError) -> (reading: Descriptor, child: ChildProcess) {
    let pipe = try makePipe()
    var launch = Launch(program: Array("sh".utf8), arguments: [Array("-c".utf8), command])
    launch.environment = [("FAULTFS_DIR", place.description), ("PWD", place.description)]
    launch.workingDirectory = place.bytes
    launch.input = .file(input.bytes)
    launch.output = .descriptor(pipe.writing)
    launch.error = .descriptor(pipe.writing)
    launch.hasOwnGroup = true
    return (pipe.reading, try ChildProcess(launch))
  }

  private static func verdict(of ending: ProcessEnding) -> Verdict {
    ending.isSuccess ? .good : .failing(ending.description)
  }
}
