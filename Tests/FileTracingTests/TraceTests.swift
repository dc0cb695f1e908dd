import FileTracing
import Files
import JSON
import Testing

/// What a log file holds of a record.
func logged(_ record: OperationRecord, _ data: [UInt8] = []) throws -> LoggedOperation {
  let sink = MemorySink()
  OperationLogWriter.write(OperationLogHeader(), to: sink)
  data.withUnsafeBytes { OperationLogWriter.write(record, data: [$0], to: sink) }
  var reader = OperationLogReader()
  reader.append(sink.bytes)
  return try #require(try reader.next())
}

@Suite struct TraceTests {
  static let lines: [(record: OperationRecord, data: String, line: String)] = [
    (
      OperationRecord(
        number: 14, countedNumber: 9, kind: .write, path: "a.tmp", offset: 8192, lengthAsked: 4096, lengthTaken: 3,
        dataAddress: 0, thread: 7, firedRule: "f1", firedEffect: .shortWrite(bytesMax: 3), firedPhase: .during,
        firedEnding: .init(effect: .powerCut(.keepNone), rule: "cut"), time: 1_234_567), "a\nb",
      "14 [9] 0.001234 7 write(a.tmp, 8192, 4096) = 3  !f1 short-write 3B !cut power-cut keep-none\n"
        + "    3 bytes: \"a\\x0ab\""
    ),
    (
      OperationRecord(number: 15, kind: .rename, path: "a", otherPath: "b", argument: 1, errno: .eexist, thread: 7), "",
      "15 [-] 0.000000 7 rename(a, b, no-replace) = -1 EEXIST"
    ),
    (
      OperationRecord(
        number: 0, kind: .create, path: "a\u{1B}[2J", argument: 0o644, time: 99,
        attributes: RecordedAttributes(kind: .regular, permissions: 0o644)), "",
      "0 [-] set-up 0 create(a\\x1b[2J, 0644) = 0"
    ),
    (OperationRecord(number: 1, kind: .fsync, path: "", time: -2_000_001_000), "", "1 [-] -2.000001 0 fsync(/) = 0"),
    (OperationRecord(number: 2, kind: .open, path: "f", argument: 6), "", "2 [-] 0.000000 0 open(f, write|append) = 0"),
    (OperationRecord(number: 3, kind: .mark, path: "", mark: "saved"), "", "3 [-] 0.000000 0 mark(\"saved\")"),
    (
      OperationRecord(number: 4, kind: .control, path: "", mark: ControlRequest.clear(name: "f1").recordText), "",
      "4 [-] 0.000000 0 control {\"do\":\"clear\",\"name\":\"f1\"}"
    ),
    (
      OperationRecord(number: 5, kind: .allocate, path: "f", offset: 1, lengthAsked: 2, argument: 3), "",
      "5 [-] 0.000000 0 allocate(f, 1, 2, keep-size, punch) = 0"
    ),
    (
      OperationRecord(number: 6, kind: .symlink, path: "l", otherPath: "to"), "", "6 [-] 0.000000 0 symlink(to, l) = 0"
    ),
    (
      OperationRecord(
        number: 7, kind: .setattr, path: "f",
        attributes: RecordedAttributes(kind: .regular, permissions: 0o600, owner: 1, group: 2)), "",
      "7 [-] 0.000000 0 setattr(f, 0600, 1:2) = 0"
    ),
  ]

  @Test(arguments: lines) func shows(row: (record: OperationRecord, data: String, line: String)) throws {
    let operation = try logged(row.record, Array(row.data.utf8))
    #expect(TraceLine(begun: 0, dataBytesMax: 9).text(of: operation) == row.line)
  }

  @Test func everyKindHasALine() throws {
    for kind in OperationKind.allCases {
      let line = TraceLine(begun: 0).text(of: try logged(OperationRecord(number: 1, kind: kind, path: "x")))
      #expect(line.contains("\(kind.rawValue)("), "\(kind)")
    }
  }

  @Test func longDataIsCut() throws {
    let operation = try logged(OperationRecord(number: 1, kind: .write, path: "x", dataAddress: 0), [65, 66, 67])
    #expect(TraceLine(begun: 0, dataBytesMax: 2).text(of: operation).hasSuffix("\n    3 bytes: \"AB\"…"))
    #expect(!TraceLine(begun: 0).text(of: operation).contains("bytes"))
    #expect(TraceLine(begun: 0, dataBytesMax: .max).json(of: operation)["data"] == "414243")
    #expect(TraceLine(begun: 0).json(of: operation)["data"] == nil)
  }

  @Test func jsonHasTheFault() throws {
    let json = TraceLine(begun: 0).json(of: try logged(TraceTests.lines[0].record))
    #expect(json["fault"]?["effect"] == "short-write")
    #expect(json["fault"]?["ending"]?["name"] == "cut")
    #expect(json["time"] == 1_234_567)
    #expect(json["rule"] == "f1")
  }

  @Test func filters() {
    var record = OperationRecord(number: 5, kind: .rename, path: "d/a", otherPath: "b")
    var filter = TraceFilter()
    func passes(_ change: (inout TraceFilter) -> Void) -> Bool {
      filter = TraceFilter()
      change(&filter)
      return filter.passes(record)
    }
    #expect(passes { _ in })
    #expect(passes { $0.paths = [NamePattern("x"), NamePattern("d/*")] })
    #expect(passes { $0.paths = [NamePattern("b")] })
    #expect(!passes { $0.paths = [NamePattern("c")] })
    #expect(passes { $0.kinds = [.rename, .write] })
    #expect(!passes { $0.kinds = [.write] })
    #expect(passes { $0.numbers = 5...5 })
    #expect(!passes { $0.numbers = 6...9 })
    #expect(!passes { $0.firedOnly = true })
    #expect(!passes { $0.failedOnly = true })
    record.firedRule = "f"
    record.errno = .eio
    #expect(passes { $0.firedOnly = true })
    #expect(passes { $0.failedOnly = true })
    record.kind = .symlink
    #expect(!passes { $0.paths = [NamePattern("b")] })
  }

  @Test func counts() {
    var statistics = TraceStatistics()
    statistics.add(OperationRecord(number: 0, kind: .write, path: "old", lengthTaken: 9, time: -900))
    for number in 1...3 as ClosedRange<UInt64> {
      statistics.add(
        OperationRecord(
          number: number, kind: .write, path: "a", lengthAsked: 9, lengthTaken: 4,
          errno: number == 3 ? .eio : nil, thread: 7, firedRule: number == 1 ? nil : "f",
          firedEffect: number == 1 ? nil : .errno(.eio), time: Int64(number) * 1_000_000))
    }
    statistics.add(OperationRecord(number: 4, kind: .fsync, path: "b", thread: 8, time: 5_000_000))
    statistics.add(OperationRecord(number: 5, kind: .mark, path: "", mark: "m", time: 5_000_000))
    #expect(
      statistics.lines(pathsShown: 1) == [
        "records  5 in 0.004000 s, by 2 threads", "set-up   1 records, 9 bytes", "syncs    1", "",
        "   count   failed        bytes  operation", "       3        1           12  write",
        "       1        0            0  fsync", "       1        0            0  mark", "",
        "   count   failed        bytes  path", "       3        1           12  a", "and 1 other paths", "",
        "   fired  first at  fault", "       2         2  !f EIO", "", "   count  thread", "       3  7",
        "       1  8",
      ])
  }
}
