import FileTracing
import Files
import Testing

@Suite struct TraceComparisonTests {
  private static let workload: [(record: OperationRecord, data: [UInt8])] = [
    (OperationRecord(number: 1, countedNumber: 1, kind: .create, path: "tmpQx3RbZ", inode: 2, thread: 70, time: 5), []),
    (
      OperationRecord(
        number: 2, countedNumber: 2, kind: .write, path: "tmpQx3RbZ", inode: 2, lengthAsked: 2, lengthTaken: 2,
        dataAddress: 0, thread: 70, time: 6), [1, 2]
    ),
    (
      OperationRecord(
        number: 3, countedNumber: 3, kind: .rename, path: "tmpQx3RbZ", otherPath: "a", inode: 2, thread: 71, time: 7),
      []
    ),
  ]

  private static func compare(
    ignoringNames: Bool = false, _ change: (inout [(record: OperationRecord, data: [UInt8])]) -> Void
  ) throws -> TraceComparison {
    var changed = workload
    change(&changed)
    var comparison = TraceComparison(ignoresNames: ignoringNames)
    for index in 0..<max(workload.count, changed.count) {
      let a = workload.indices.contains(index) ? try logged(workload[index].record, workload[index].data) : nil
      let b = changed.indices.contains(index) ? try logged(changed[index].record, changed[index].data) : nil
      comparison.compare(a, b)
    }
    return comparison
  }

  @Test func timesThreadsAndInodesDoNotMatter() throws {
    let comparison = try Self.compare { records in
      for index in records.indices {
        records[index].record.time += 1000
        records[index].record.thread += 500
        records[index].record.inode += 40
      }
    }
    #expect(comparison.isSame)
    #expect(comparison.lines == ["the same: 3 records"])
  }

  static let changes: [(difference: String, change: @Sendable (inout OperationRecord, inout [UInt8]) -> Void)] = [
    ("operation", { record, _ in record.kind = .read }), ("number", { record, _ in record.number = 9 }),
    ("path", { record, _ in record.path = "b" }), ("thread", { record, _ in record.thread = 71 }),
    ("inode", { record, _ in record.inode = 3 }), ("offset", { record, _ in record.offset = 3 }),
    ("length", { record, _ in record.lengthAsked = 3 }), ("result", { record, _ in record.errno = .eio }),
    ("mode", { record, _ in record.argument = 1 }), ("text", { record, _ in record.mark = "" }),
    ("fault", { record, _ in record.firedRule = "f" }),
    ("data, from byte 1 of the operation on", { _, data in data[1] = 9 }),
  ]

  @Test(arguments: changes.indices) func everyOtherDifferenceIsSaid(row: Int) throws {
    let comparison = try Self.compare { records in
      var (record, data) = records[1]
      Self.changes[row].change(&record, &data)
      records[1] = (record, data)
    }
    #expect(!comparison.isSame)
    let lines = comparison.lines
    #expect(lines[0] == "different from record 2 on:")
    #expect(lines[1] == "  1 [1] 1 create(tmpQx3RbZ, 00) = 0  inode 1")
    #expect(lines[2].hasPrefix("- 2 [2] ") && lines[3].hasPrefix("+ "))
    #expect(lines[4] == "  they differ in \(Self.changes[row].difference)")
    #expect(lines[5] == "records: 3 in the first, 3 in the second; 1 the same before that")
  }

  @Test func aShorterRecordingDiffers() throws {
    let comparison = try Self.compare { $0.removeLast() }
    #expect(
      comparison.lines == [
        "different from record 3 on:", "  1 [1] 1 create(tmpQx3RbZ, 00) = 0  inode 1",
        "  2 [2] 1 write(tmpQx3RbZ, 0, 2) = 2  inode 1", "- 3 [3] 2 rename(tmpQx3RbZ, a) = 0  inode 1",
        "+ (the second recording has ended)", "records: 3 in the first, 2 in the second; 2 the same before that",
        "rename: 1 in the first, 0 in the second",
      ])
  }

  @Test func drawnNamesMatterUnlessIgnored() throws {
    func other(_ records: inout [(record: OperationRecord, data: [UInt8])]) {
      for index in records.indices { records[index].record.path = "tmpAb9Zzz" }
    }
    #expect(try !Self.compare(other).isSame)
    #expect(try Self.compare(ignoringNames: true, other).isSame)
    // The same name twice is not two names.
    #expect(
      try !Self.compare(ignoringNames: true) {
        other(&$0)
        $0[1].record.path = "tmpAb9Zzy"
      }.isSame)
  }

  static let names: [(name: BytePath, renamed: BytePath)] = [
    ("journal", "journal"), ("pages/p1", "pages/p1"), ("a.4711", "a.#1"), ("12/12-7", "#1/#1-#2"),
    ("x.1f2a9c.tmp", "x.#1.tmp"), ("tmpQxRbZa", "#1"), ("README", "README"), ("abcde1", "#1"), ("abcd1", "abcd1"),
    (BytePath(bytes: [0xFF, 0x31]), BytePath(bytes: [0xFF, 0x23, 0x31])),
  ]

  @Test(arguments: names) func renames(row: (name: BytePath, renamed: BytePath)) {
    var trace = CanonicalTrace(ignoresNames: true)
    #expect(trace.renamed(row.name) == row.renamed)
  }
}
