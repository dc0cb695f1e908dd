import Files
import TestSupport
import Testing

@testable import FileTracing

/// The pages about logs say what the code does.
@Suite struct TracePagesTests {
  private static func page(_ path: BytePath) throws -> String {
    let bytes = try HostVolume(root: repositoryRoot).readWhole(path, sizeMax: 1 << 20)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func theFormatIsThatOfThePage() throws {
    let page = try Self.page("Docs/reference/operation-log.md")
    let words = page.split { $0.isWhitespace }.joined(separator: " ")
    let kinds = OperationLogFormat.codes.map { "\($0.code) \($0.kind.rawValue)" }
    let expected = [
      "# The operation log, version \(OperationLogFormat.version)", "`FAULTLOG`",
      "at most \(OperationLogFormat.headerTextBytesMax) |", "| \(OperationLogFormat.headerBytes) | n | a JSON object |",
      "\(OperationLogFormat.fixedBytes) to \(OperationLogFormat.recordBytesMax) |",
      kinds.sorted { Int($0.prefix { $0 != " " }) ?? 0 < Int($1.prefix { $0 != " " }) ?? 0 }.joined(separator: " · "),
    ]
    for text in expected { #expect(words.contains(text), "\(text)") }
    #expect(Set(OperationLogFormat.codes.map(\.kind)) == Set(OperationKind.allCases))
    #expect(OperationLogFormat.fileKinds.map(\.code) == Array(1...8))
  }

  private static let show = [
    OperationRecord(
      number: 2, countedNumber: 1, kind: .create, path: "a.tmp", argument: 0o755, thread: 15909, time: 151_602_000),
    OperationRecord(
      number: 3, countedNumber: 2, kind: .write, path: "a.tmp", lengthAsked: 60, lengthTaken: 60, dataAddress: 0,
      thread: 15909, time: 151_856_000),
    OperationRecord(
      number: 4, countedNumber: 3, kind: .fsync, path: "a.tmp", errno: .eio, thread: 15909, firedRule: "f1",
      firedEffect: .errno(.eio), firedPhase: .before, time: 151_971_000),
    OperationRecord(
      number: 5, countedNumber: 4, kind: .rename, path: "a.tmp", otherPath: "a", thread: 15909, time: 152_412_000),
  ]

  @Test func theShownLinesAreThoseOfThePage() throws {
    let form = TraceLine(begun: 0, dataBytesMax: 48)
    let hello = [UInt8](repeating: 0, count: 10).flatMap { _ in Array("hello\n".utf8) }
    let lines = Self.show.map { record in
      form.text(of: LoggedOperation(record: record, data: record.kind == .write ? hello : []))
    }
    let block = lines.joined(separator: "\n").split(separator: "\n").map { "    \($0)\n" }.joined()
    #expect(try Self.page("Docs/your-program/trace.md").contains(block), "\(block)")
  }

  @Test func theComparisonIsThatOfThePage() throws {
    func operation(_ number: UInt64, _ kind: OperationKind, to other: BytePath? = nil) -> LoggedOperation {
      let length: UInt64 = kind == .write ? 60 : 0
      return LoggedOperation(
        record: OperationRecord(
          number: number, countedNumber: number, kind: kind, path: "a.tmp", otherPath: other, inode: 7,
          lengthAsked: length, lengthTaken: length, argument: kind == .create ? 0o644 : 0, thread: 9), data: [])
    }
    let (create, write) = (operation(1, .create), operation(2, .write))
    var comparison = TraceComparison(ignoresNames: false)
    comparison.compare(create, create)
    comparison.compare(write, write)
    comparison.compare(operation(3, .fsync), operation(3, .rename, to: "a"))
    comparison.compare(operation(4, .rename, to: "a"), nil)
    let block = comparison.lines.map { "    \($0)\n" }.joined()
    #expect(try Self.page("Docs/your-program/trace.md").contains(block), "\(block)")
  }
}
