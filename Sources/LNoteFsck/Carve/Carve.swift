import Files
import LNoteFormat

/// Finds pages and documents in raw bytes, and writes what was found as whole documents elsewhere. What is searched is
/// only read.
package struct Carve: Sendable {
  let now: Timestamp
  private let progress: @Sendable (Int) -> Void
  private let isStopped: @Sendable () -> Bool

  /// A search.
  ///
  /// - Parameters:
  ///   - now: the time that losses are recorded with.
  ///   - progress: gets the number of bytes searched, as they are.
  ///   - isStopped: asked between pieces and documents; true ends the search there.
  package init(
    now: Timestamp, progress: @escaping @Sendable (Int) -> Void = { _ in },
    isStopped: @escaping @Sendable () -> Bool = { false }
  ) {
    self.now = now
    self.progress = progress
    self.isStopped = isStopped
  }

  /// Searches the files and writes what was found into `target`, an empty folder; `report` is told.
  package func run(_ sources: CarveSources, to target: any Volume, _ report: inout CarveReport) {
    var search = CarveSearch(sources, progress: progress, isStopped: isStopped)
    search.run()
    let findings = search.findings
    report.files = sources.files.count
    report.bytes = sources.size
    report.recordsDamaged = findings.recordsDamaged
    report.olderDocuments = findings.documents.count - Set(findings.documents.map(\.id)).count
    report.isIncomplete = findings.isIncomplete
    let writer = CarveWriter(sources: sources, findings: findings, target: target, now: now)
    let documents = isStopped() ? [] : CarvePlan.documents(from: findings, now: now)
    for (number, document) in documents.enumerated() {
      if isStopped() { break }
      do throws(FileCallError) {
        report.items.append(try writer.write(document))
      } catch {
        let failure = FileCallFailure(error)
        report.fail(Sentences.carveFailed(document.record.title, failure), .operational)
        report.documentsUnwritten += 1
        if !failure.endsAllWriting { continue }
        report.documentsUnwritten += documents.count - number - 1
        break
      }
    }
    if isStopped() { report.fail(Sentences.carveCancelled, .cancelled) }
    report.failures = sources.failures
    report.bytesUnread = sources.bytesUnread
  }
}
