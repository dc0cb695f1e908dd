import Files
import LNoteFormat

/// Why a package that lacks its `document.json` may not be all here yet.
///
/// Nothing that is here is judged by it: it only says that judging can wait.
struct Arrival: Sendable {
  /// Parts of files that a sync service, a browser or a copy leaves while it works; none where only times tell it.
  let files: [BytePath]

  /// What tells it.
  var evidence: String { files.isEmpty ? "files were written just now" : "\(files.count) parts of files" }

  /// Nil where `document.json` is there, or nothing tells that it will come.
  init?(_ facts: PackageFacts, now: Timestamp, settlingSeconds: Int64) {
    guard facts.document.file == nil, facts.absent.isEmpty else { return nil }
    files = facts.strays.map(\.file.path).filter { PackageNames.isPart($0.name.bytes) }
    if !files.isEmpty { return }
    let own = facts.pages.map(\.file) + facts.assets.map(\.file) + facts.thumbnails.map(\.file)
    let newest = (own + [facts.manifest.file].compactMap { $0 }).compactMap { $0.status?.modified }.max()
    guard let newest else { return nil }
    let age = now.milliseconds.subtractingReportingOverflow(newest / 1_000_000)
    guard !age.overflow, (0..<settlingSeconds * 1000).contains(age.partialValue) else { return nil }
  }
}
