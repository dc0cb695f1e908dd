import LNoteFormat

extension StoreSession {
  /// Starts the half second after which a change is saved anew.
  func restartAutosave(of document: OpenDocument) {
    document.saveDue = now + configuration.autosaveMilliseconds
    document.retryMilliseconds = max(1, configuration.autosaveMilliseconds)
  }

  /// Moves the clock; saves that become due run at their own moments.
  func advance(milliseconds: Int64) throws(StoreFailure) {
    let room = StoreConfiguration.clockRange.upperBound - StoreConfiguration.retryMillisecondsMax - now
    guard milliseconds >= 0, milliseconds <= room else {
      throw .invalid("The clock can only be moved forward, and not beyond the year 9999.")
    }
    let target = now + milliseconds
    while let document = nextDue(), let due = document.saveDue, due <= target {
      now = max(now, due)
      saveReporting(document)
    }
    now = target
  }

  /// Moves the clock to each save that is due for what is unsaved now, and runs it once.
  func advanceUntilSaved() {
    let waiting = documentsInOrder.filter { $0.saveDue != nil && $0.needsSave }
    for document in waiting.sorted(by: { ($0.saveDue ?? 0, $0.id) < ($1.saveDue ?? 0, $1.id) }) {
      now = max(now, document.saveDue ?? now)
      saveReporting(document)
    }
  }

  /// Saves every changed page of every document now, then draws their small pictures.
  func saveEverything() {
    for document in documentsInOrder { saveReporting(document) }
    // Behind the last save of all: no page waits for a picture.
    for document in documentsInOrder { thumbnails?.drawOwed(of: document) }
  }

  private func saveReporting(_ document: OpenDocument) {
    do throws(StoreFailure) {
      try save(document)
    } catch {
      report(error)
    }
  }

  private func nextDue() -> OpenDocument? {
    documentsInOrder.filter { $0.saveDue != nil }.min { ($0.saveDue ?? 0, $0.id) < ($1.saveDue ?? 0, $1.id) }
  }
}

extension StoreConfiguration {
  /// The moments that a virtual clock may show: 1970 to the end of 9999, which RFC 3339 can write.
  package static let clockRange: ClosedRange<Int64> = 0...253_402_300_799_999

  /// The longest that a failed save waits for the next try, in milliseconds.
  static let retryMillisecondsMax: Int64 = 60_000

  /// The longest autosave delay, in milliseconds.
  package static let autosaveMillisecondsMax: Int64 = 60_000
}
