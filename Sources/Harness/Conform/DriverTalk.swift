import Files
import JSON
import LNoteFormat
import LNoteStore
import Processes

/// Why a check does not pass.
struct Objection: Error {
  /// What the driver did, or why nothing can be said.
  let result: ConformResult
  /// True where an answer did not come in time.
  var isLate = false

  /// The driver does not do what the protocol says.
  init(_ sentence: String) { result = .failed(sentence) }

  /// Nothing can be said about the driver.
  init(unknown sentence: String) { result = .unknown(sentence) }

  init(late sentence: String) {
    result = .failed(sentence)
    isLate = true
  }
}

/// A conversation with a driver, line by line; a caller may send wrong lines, too.
final class DriverTalk {
  private let process: ChildProcess
  /// The pipes; nil once its input was closed.
  private var lines: LineChannel?
  private let secondsMax: Int
  private(set) var number: UInt64 = 0

  /// Starts the driver; nothing is said yet.
  init(_ programs: Programs) throws(Objection) {
    secondsMax = programs.stepSecondsMax
    var launch = Launch(programs.driver.first ?? "lnote-driver", Array(programs.driver.dropFirst()))
    launch.input = .pipe
    launch.output = .pipe
    // What it has to say to people is of no use where it is made to fail on purpose.
    launch.error = .nothing
    launch.hasOwnGroup = true
    launch.crashesQuietly = true
    do throws(ProcessCallError) {
      process = try ChildProcess(launch)
    } catch {
      throw Objection(unknown: "the driver cannot be started (\(error))")
    }
    lines = process.lines()
  }

  /// Hears the driver's first line.
  func greeting() throws(Objection) -> DriverHello {
    let value = try receive("the greeting")
    return try protocolled("the greeting") { () throws(WireError) in try DriverHello.reading(wire: value) }
  }

  /// Tells it which library to serve, and hears what it says to that.
  func start(
    root: String, protocolVersion: Int = DriverHandshake.protocolVersion
  ) throws(Objection)
    -> DriverReadiness
  {
    let configuration = StoreConfiguration(now: Timestamp(milliseconds: 1_782_898_200_000), seed: 7)
    var fields = DriverStart(configuration: configuration, root: root).wireValue.object ?? [:]
    fields["protocol"] = JSONValue(protocolVersion)
    try send(JSONValue.object(fields).serialized(), "the first line")
    let value = try receive("the first line")
    return try protocolled("the first line") { () throws(WireError) in try DriverReadiness.reading(wire: value) }
  }

  /// Sends a line as it is.
  func send(_ line: [UInt8], _ what: String) throws(Objection) {
    do throws(ProcessCallError) { try lines?.send(line, until: deadline) } catch {
      if error.isTimeout { throw Objection(late: "it did not read \(what) within \(secondsMax) s") }
      throw Objection("it had ended before it read \(what)")
    }
  }

  /// Sends a command without waiting for its answer; its number.
  func post(_ command: StoreCommand) throws(Objection) -> UInt64 {
    number += 1
    try send(NumberedCommand(number, command).wireValue.serialized(), "'\(command.word)'")
    return number
  }

  /// The next answer, which has to have this number.
  func answer(_ number: UInt64, to what: String) throws(Objection) -> StoreAnswer {
    let value = try receive(what)
    let answer = try protocolled(what) { () throws(WireError) in try StoreAnswer.reading(wire: value) }
    guard answer.number == number else {
      throw Objection("it answered number \(answer.number) where \(number) (\(what)) was asked")
    }
    return answer
  }

  /// The answer to a command, errors or not.
  func ask(_ command: StoreCommand) throws(Objection) -> StoreAnswer {
    try answer(try post(command), to: "'\(command.word)'")
  }

  /// The answer to a command that has to succeed.
  @discardableResult
  func does(_ command: StoreCommand) throws(Objection) -> StoreAnswer {
    let answer = try ask(command)
    guard let failure = answer.failures.first else { return answer }
    throw Objection("it refused '\(command.word)': \(failure.message)")
  }

  /// A line that is no command of the protocol, and the answer to it.
  func asks(raw line: String, number: UInt64) throws(Objection) -> StoreAnswer {
    try send(Array(line.utf8), "the line \(line)")
    return try answer(number, to: "the line \(line)")
  }

  /// The next number of a command that the caller writes by hand.
  func nextNumber() -> UInt64 {
    number += 1
    return number
  }

  /// The page as the store shows it.
  func page(_ page: PageName) throws(Objection) -> PageContent {
    guard case .page(let content)? = try does(.readPage(page)).payload else {
      throw Objection("it answered 'read-page' without a page")
    }
    return content
  }

  /// The document as `open` or `create-document` shows it.
  func outline(_ command: StoreCommand) throws(Objection) -> DocumentOutline {
    guard case .document(let outline)? = try does(command).payload else {
      throw Objection("it answered '\(command.word)' without a document")
    }
    return outline
  }

  /// Ends it at once.
  func kill() { do throws(ProcessCallError) { _ = try process.end() } catch {} }

  /// How it ends by itself; with its input closed where that is asked for.
  func ending(closingInput: Bool) throws(Objection) -> ProcessEnding {
    if closingInput {
      process.closeInput()
      lines = nil
    }
    do throws(ProcessCallError) {
      if let ending = try process.wait(until: deadline) { return ending }
    } catch {
      throw Objection(unknown: "\(error)")
    }
    throw Objection(late: "it was still there \(secondsMax) s later")
  }

  private var deadline: Deadline { .after(milliseconds: secondsMax * 1000) }

  private func receive(_ what: String) throws(Objection) -> JSONValue {
    let line: [UInt8]?
    do throws(ProcessCallError) {
      line = try lines?.receive(until: deadline)
    } catch {
      if error.isTimeout { throw Objection(late: "no answer to \(what) within \(secondsMax) s") }
      throw Objection("its answer to \(what) cannot be read: \(error)")
    }
    guard let line else { throw Objection("it ended instead of answering \(what)") }
    return try protocolled(what) { () throws(JSONError) in try JSONValue.parse(line) }
  }

  private func protocolled<Value, Failure: Error>(
    _ what: String, _ read: () throws(Failure) -> Value
  ) throws(Objection) -> Value {
    do throws(Failure) { return try read() } catch {
      throw Objection("its answer to \(what) is not of the protocol: \(error)")
    }
  }
}
