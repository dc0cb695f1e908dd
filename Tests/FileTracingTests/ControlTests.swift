import Files
import JSON
import Testing

@testable import FileTracing

@Suite struct ControlTests {
  static let rule = FaultRule(
    name: "f", effect: .tornRename(.targetPrefix(bytes: 3)), operations: [.rename],
    target: FaultTarget(patterns: [NamePattern("*.txt")], side: .to, spelling: "texts"),
    occurrence: FaultOccurrence(nth: 2), isOptional: true)
  static let odd = BytePath(bytes: [0x2F, 0xFF, 0x20])

  static let requests: [(request: ControlRequest, line: String)] = [
    (
      .arm(rule),
      """
      {"do":"arm","number":7,"rule":{"bytes":3,"effect":"torn-rename","maybe":true,"name":"f","nth":2,\
      "operations":["rename"],"outcome":"target-prefix",\
      "target":{"patterns":["*.txt"],"side":"to","spelling":"texts"}}}
      """
    ),
    (.clear(name: "f"), #"{"do":"clear","name":"f","number":7}"#), (.clearAll, #"{"do":"clear-all","number":7}"#),
    (.holdFaults(true), #"{"do":"hold-faults","hold":true,"number":7}"#),
    (.powerCut(.keepNone), #"{"do":"power-cut","number":7,"surviving":"keep-none"}"#),
    (.restart, #"{"do":"restart","number":7}"#),
    (.setFreeSpace(bytes: 65536), #"{"bytes":65536,"do":"free-space","number":7}"#),
    (.setFreeSpace(bytes: 1, inodes: 2), #"{"bytes":1,"do":"free-space","inodes":2,"number":7}"#),
    (.armText("EIO on fsync nth 3"), #"{"do":"arm","fault":"EIO on fsync nth 3","number":7}"#),
    (.list, #"{"do":"list","number":7}"#), (.stats, #"{"do":"stats","number":7}"#),
    (.wait(.fired(rule: "f"), milliseconds: 10), #"{"do":"wait","fired":"f","milliseconds":10,"number":7}"#),
    (.wait(.mark("m"), milliseconds: nil), #"{"do":"wait","mark":"m","number":7}"#),
    (
      .wait(.operation("fsync of \"a\"", since: 3), milliseconds: nil),
      #"{"do":"wait","number":7,"operation":"fsync of \"a\"","since":3}"#
    ),
    (
      .wait(.operation("fsync", since: nil), milliseconds: nil),
      #"{"do":"wait","number":7,"operation":"fsync"}"#
    ),
    (.setFreeSpace(bytes: nil), #"{"bytes":null,"do":"free-space","number":7}"#),
    (.mark("here"), #"{"do":"mark","number":7,"text":"here"}"#), (.status, #"{"do":"status","number":7}"#),
    (.log(since: 12), #"{"do":"log","number":7,"since":12}"#),
    (.writeLog("/l"), #"{"do":"write-log","number":7,"path":"/l"}"#),
    (.export(odd), #"{"do":"export","number":7,"path":{"hex":"2fff20"}}"#),
    (.unmount, #"{"do":"unmount","number":7}"#),
  ]

  @Test(arguments: requests) func requestsGoThereAndBack(request: ControlRequest, line: String) throws {
    #expect(String(decoding: request.json(number: 7).serialized(), as: UTF8.self) == line)
    let read = try ControlRequest.read(try JSONValue.parse(Array(line.utf8)))
    #expect(read.number == 7)
    #expect(read.request == request)
  }

  static let wrong: [(line: String, says: String)] = [
    (#"{"do":"status"}"#, "a request needs a number"), (#"{"number":1}"#, "a request needs \"do\""),
    (#"{"do":"dance","number":1}"#, "there is no request dance"),
    (#"{"do":"arm","number":1}"#, #""arm" needs a "rule" or a "fault""#),
    (#"{"do":"arm","number":1,"rule":{}}"#, "rule.name: is missing"),
    (#"{"do":"clear","number":1}"#, "\"name\" is a text"),
    (#"{"do":"hold-faults","number":1}"#, "\"hold\" is true or false"),
    (#"{"do":"power-cut","number":1,"surviving":"all"}"#, "\"surviving\" is keep-all or keep-none, not all"),
    (#"{"do":"free-space","number":1}"#, "\"bytes\" is a number of bytes, or null for no limit"),
    (#"{"do":"free-space","number":1,"bytes":-1}"#, "\"bytes\" is a number of bytes, or null for no limit"),
    (#"{"do":"log","number":1,"since":-1}"#, "\"since\" is a number, 0 or more"),
    (#"{"do":"arm","number":1,"fault":3}"#, "\"fault\" is a text"),
    (#"{"do":"wait","number":1}"#, #"a wait is for one of "fired", "mark" or "operation""#),
    (#"{"do":"wait","number":1,"fired":"f","milliseconds":-1}"#, "\"milliseconds\" is a number, 0 or more"),
    (#"{"do":"export","number":1,"path":""}"#, "\"path\" is a path"),
  ]

  @Test(arguments: wrong) func saysWhatIsWrong(line: String, says: String) throws {
    let value = try JSONValue.parse(Array(line.utf8))
    #expect(throws: ControlSyntaxError(says)) { try ControlRequest.read(value) }
  }

  static let record = OperationRecord(
    number: 3, countedNumber: 2, kind: .rename, path: "a", otherPath: odd, inode: 9, offset: 1, lengthAsked: 2,
    lengthTaken: 3, argument: 4, errno: Errno(name: "EIO"), thread: 77, firedRule: "f", mark: nil,
    time: 1_700_000_000_000_000_001)
  static let status = ControlStatus(
    condition: .cut, firings: [FaultFiring(rule: "f", operation: 3, countedNumber: 2, matched: 7)],
    counts: [.write: 4, .rename: 1], lastRecord: 9)

  static let answers: [ControlAnswer] = [
    .armed(name: "f"), .timedOut, .happened(record), .happened(nil),
    .rules(
      [ControlRule(rule: rule, matched: 4, fired: 2, firings: [record])],
      space: ControlSpace(bound: SpaceBound(bytes: 65536, inodes: 10), left: SpaceBound(bytes: 1, inodes: 0))),
    .rules([], space: nil), .rules([], space: ControlSpace(bound: SpaceBound(inodes: 1), left: SpaceBound(inodes: 1))),
    .stats(
      ControlStats(
        operations: [.write: 4, .lock: 1], bytesWritten: 7, bytesRead: 8, dataBytes: 9, residentBytes: 10, records: 11,
        openFiles: 12, inodes: 13)),
    .status(
      ControlStatus(
        condition: .running, firings: [], counts: [:], lastRecord: 0, server: 4, mountPoint: odd, milliseconds: 5,
        rules: 6, dataBytes: 7, holdsFaults: true, seesSync: false)),
    .done, .refused("no"), .status(status), .records([]),
    .records([record, OperationRecord(number: 4, kind: .mark, path: .root, mark: "m")]),
    .status(ControlStatus(condition: .running, firings: [], counts: [:], lastRecord: 0)),
  ]

  @Test(arguments: answers) func answersGoThereAndBack(answer: ControlAnswer) throws {
    let line = answer.json(number: 5).serialized()
    let read = try ControlAnswer.read(try JSONValue.parse(line))
    #expect(read.number == 5)
    #expect(read.answer == answer)
  }

  @Test func greets() throws {
    let greeting = ControlGreeting(server: 12, mountPoint: "/m")
    #expect(try ControlGreeting.read(greeting.json) == greeting)
    let later = ControlGreeting(server: 12, mountPoint: "/m", version: 2)
    #expect(throws: ControlSyntaxError("the server speaks version 2 of the control protocol, not 1")) {
      try ControlGreeting.read(later.json)
    }
    #expect(throws: ControlSyntaxError("this is no control socket of faultfs")) {
      try ControlGreeting.read(.object(["hello": .string("else")]))
    }
  }
}
