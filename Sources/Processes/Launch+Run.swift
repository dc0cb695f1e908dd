import Glibc

/// What came of a program that ran to its end.
package struct ProgramResult: Hashable, Sendable {
  /// How it ended.
  package let ending: ProcessEnding
  /// What it wrote on standard output, up to the limit.
  package let output: [UInt8]
  /// What it wrote on standard error, up to the limit.
  package let error: [UInt8]
  /// True where it wrote more than the limit, and the rest was dropped.
  package let wasCut: Bool
  /// True where the time limit passed and it was killed.
  package let ranOutOfTime: Bool

  /// Standard output as text.
  package var outputText: String { String(decoding: output, as: UTF8.self) }
  /// Standard error as text.
  package var errorText: String { String(decoding: error, as: UTF8.self) }
}

extension Launch {
  /// The most that `run` keeps of each stream where nothing else is said: 16 MiB.
  package static let outputBytesMax = 16 << 20

  /// Starts the program, feeds it `input`, keeps what it writes, and waits until it ends.
  ///
  /// At the time limit it is killed, with its group where it has its own. Standard input, output and error become
  /// pipes, whatever the launch says, but an `output` or `error` that leads to a file or descriptor stays so.
  ///
  /// - Throws: what starting throws; a program that fails is a result, not an error.
  package func run(
    input: [UInt8] = [], limitMilliseconds: Int, outputBytesMax: Int = Launch.outputBytesMax
  ) throws(ProcessCallError) -> ProgramResult {
    var launch = self
    launch.input = .pipe
    if case .inherited = launch.output { launch.output = .pipe }
    if case .inherited = launch.error { launch.error = .pipe }
    let child = try ChildProcess(launch)
    var streams = [
      Captured(descriptor: child.output, bytesMax: outputBytesMax),
      Captured(descriptor: child.error, bytesMax: outputBytesMax),
    ]
    var unsent = input[...]
    if unsent.isEmpty { child.closeInput() }
    let deadline = Deadline.after(milliseconds: limitMilliseconds)

    while true {
      let ends = [child.handle.number] + streams.map { $0.descriptor?.number ?? -1 }
      let writing = child.input?.number ?? -1
      let ready = try waitReady(ends.map { ($0, Int16(POLLIN)) } + [(writing, Int16(POLLOUT))], until: deadline)
      if ready.allSatisfy({ $0 == 0 }) {
        let ending = try child.end()
        return result(ending, streams, ranOutOfTime: true)
      }
      for index in streams.indices where ready[index + 1] != 0 { try streams[index].take() }
      if ready[3] != 0 { feed(child, &unsent) }
      // What it started may hold the pipes open; what it wrote itself is there when it has ended.
      if ready[0] != 0 && ready[1] & Int16(POLLIN) == 0 && ready[2] & Int16(POLLIN) == 0 {
        guard let ending = try child.wait(until: .never) else { continue }
        return result(ending, streams, ranOutOfTime: false)
      }
    }
  }

  private func result(_ ending: ProcessEnding, _ streams: [Captured], ranOutOfTime: Bool) -> ProgramResult {
    ProgramResult(
      ending: ending, output: streams[0].bytes, error: streams[1].bytes,
      wasCut: streams.contains { $0.wasCut }, ranOutOfTime: ranOutOfTime)
  }

  /// Hands over what fits now; a program that does not read its input is no error.
  private func feed(_ child: ChildProcess, _ unsent: inout ArraySlice<UInt8>) {
    guard let input = child.input else { return }
    let piece = Array(unsent.prefix(pipeRoomBytes))
    let count = write(input.number, piece, piece.count)
    if count < 0 && errno != EINTR && errno != EAGAIN { unsent = [] }
    unsent = unsent.dropFirst(max(0, count))
    if unsent.isEmpty { child.closeInput() }
  }
}

/// poll promises room for this many bytes (PIPE_BUF).
private let pipeRoomBytes = 4096

/// A stream of a child as far as it was kept.
private struct Captured {
  var descriptor: Descriptor?
  let bytesMax: Int
  var bytes: [UInt8] = []
  var wasCut = false

  init(descriptor: Descriptor?, bytesMax: Int) {
    self.descriptor = descriptor
    self.bytesMax = bytesMax
  }

  mutating func take() throws(ProcessCallError) {
    guard let number = descriptor?.number else { return }
    let piece = try readSome(from: number, bytesMax: 64 << 10, until: .never) ?? []
    if piece.isEmpty { descriptor = nil }
    wasCut = wasCut || bytes.count + piece.count > bytesMax
    bytes += piece.prefix(bytesMax - bytes.count)
  }
}
