import Testing

@testable import Terminal

struct ProgressLineTests {
  private func line(
    _ unit: ProgressLine.Unit, total: Int = 200, columns: Int = 80, isShown: Bool = true
  ) -> ProgressLine {
    ProgressLine("checking", total: total, unit: unit, columns: columns, isShown: isShown, now: 5000)
  }

  @Test func showsHowFarAndHowLong() {
    var line = line(.things("documents"))
    #expect(line.update(done: 0, now: 5000) == "\r\u{1B}[Kchecking: 0 of 200 documents, 0 %")
    #expect(line.update(done: 50, now: 6999) == "\r\u{1B}[Kchecking: 50 of 200 documents, 25 %")
    #expect(line.update(done: 50, now: 8000) == "\r\u{1B}[Kchecking: 50 of 200 documents, 25 %, about 9 s left")
    #expect(
      line.update(done: 51, now: 405_000) == "\r\u{1B}[Kchecking: 51 of 200 documents, 25 %, about 19 min 29 s left")
    #expect(line.update(done: 200, now: 505_000) == "\r\u{1B}[Kchecking: 200 of 200 documents, 100 %")
    #expect(line.erase() == "\r\u{1B}[K")
    #expect(line.erase() == nil)
  }

  @Test func countsBytesAndDoesWithoutATotal() {
    var bytes = line(.bytes, total: 1_200_000_000)
    #expect(bytes.update(done: 600_000_000, now: 5000) == "\r\u{1B}[Kchecking: 600 MB of 1.2 GB, 50 %")
    var unknown = line(.things("files"), total: 0)
    #expect(unknown.update(done: 1317, now: 5000) == "\r\u{1B}[Kchecking: 1,317 files")
  }

  @Test func updatesTenTimesASecond() {
    var line = line(.things("documents"))
    let written = (0..<1000).filter { line.update(done: 1, now: 5000 + $0) != nil }
    #expect(written == [0, 100, 200, 300, 400, 500, 600, 700, 800, 900])
  }

  @Test func isSilentOffATerminalAndBeforeTheFirstUpdate() {
    var silent = line(.bytes, isShown: false)
    #expect(silent.update(done: 1, now: 9000) == nil)
    #expect(silent.erase() == nil)
    var fresh = line(.bytes)
    #expect(fresh.erase() == nil)
  }

  @Test func keepsToTheTerminal() {
    var narrow = line(.things("documents"), columns: 20)
    #expect(narrow.update(done: 1, now: 5000) == "\r\u{1B}[Kchecking: 1 of 2...")
  }
}
