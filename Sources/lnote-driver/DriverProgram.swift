import Files
import JSON
import LNoteStore
import Options
import Processes

/// The store as a process: commands as JSON lines on standard input, answers on standard output.
///
/// The protocol is described in Docs/reference/driver-protocol.md, so that another store can take its place.
enum DriverProgram {
  static let table = OptionTable(
    program: "lnote-driver",
    sentence: "the note store as a process, driven by JSON lines on standard input",
    version: "1.0",
    options: [Option("root", value: .directory("DIR"), "the library's folder, where the caller names none")],
    examples: [Example("lnote-driver --root Notes", "waits for the caller's first line")],
    exitStatuses: [
      ExitStatus(0, "the caller closed standard input"), ExitStatus(2, "the first line cannot be followed"),
      ExitStatus(4, "the folder cannot be opened, or the caller cannot be reached"),
    ])

  /// Runs to the end of standard input; the exit status.
  static func run(_ words: [Word]) -> Int32 {
    let channel = LineChannel.standard()
    do {
      switch try table.read(words) {
      case .show(let text):
        try channel.send(Array(text.utf8.dropLast()))
        return 0
      case .run(let reading):
        return try serve(channel, root: reading.value("root").map { BytePath(bytes: $0.bytes) })
      }
    } catch let error as OptionError {
      complain("\(error)")
      return 2
    } catch let error as ProcessCallError where error.isBrokenPipe {
      // The caller was ended; there is nobody who would want to hear of it.
      return 4
    } catch {
      complain("\(error)")
      return 4
    }
  }

  private static func serve(_ channel: LineChannel, root: BytePath?) throws -> Int32 {
    try ParentProcess.endsThisProcessWithIt()
    try channel.send(DriverHello.own.wireValue.serialized())
    guard let first = try channel.receive() else { return 0 }
    let session: StoreSession
    do {
      let start = try DriverStart.reading(wire: try JSONValue.parse(first))
      guard let path = start.root.map({ BytePath($0) }) ?? root else {
        return try refuse(channel, "name the library's folder: 'root' in the first line, or --root DIR", status: 2)
      }
      session = StoreSession(volume: try HostVolume(root: path), configuration: start.configuration)
    } catch let error as FileCallError {
      return try refuse(channel, "the library cannot be opened: \(error)", status: 4)
    } catch {
      return try refuse(channel, "the first line cannot be followed: \(error)", status: 2)
    }
    try channel.send(DriverReadiness.ready.wireValue.serialized())
    while let line = try channel.receive() {
      if line.isEmpty { continue }
      try channel.send(answer(to: line, session).serialized())
    }
    return 0
  }

  /// The store's answer, or what is wrong with the line: the number is then that of the line where it can be told, or 0.
  private static func answer(to line: [UInt8], _ session: StoreSession) -> JSONValue {
    var number: UInt64 = 0
    do {
      let value = try JSONValue.parse(line)
      number = value["number"]?.integer.flatMap { UInt64(exactly: $0) } ?? 0
      return session.perform(try NumberedCommand.reading(wire: value)).wireValue
    } catch {
      let failure = StoreFailure(kind: .invalid, message: "This line is no command: \(error).")
      return StoreAnswer(number: number, failures: [failure]).wireValue
    }
  }

  private static func refuse(_ channel: LineChannel, _ reason: String, status: Int32) throws -> Int32 {
    try channel.send(DriverReadiness.refused(reason).wireValue.serialized())
    complain(reason)
    return status
  }

  private static func complain(_ text: String) {
    let error = LineChannel(reading: .standardInput, writing: .standardError)
    try? error.send(Array("lnote-driver: \(text)".utf8))
  }
}
