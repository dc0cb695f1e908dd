import FileTracing
import Files

/// How a scenario calls the files on its disk.
///
/// "page p1" is the page and the temporary file on its way to it.
package struct FileRoles: Sendable {
  private let targets: [FaultTarget]
  private let packages: [(prefix: String, id: FixedID)]
  private let ids: [FixedID]

  /// The roles of a scenario's documents, and of the pages and images that its steps make.
  package init(_ scenario: CheckedScenario) {
    var patterns: [(spelling: String, patterns: [NamePattern])] = []
    func add(_ spelling: String, _ more: [NamePattern]) {
      if let known = patterns.firstIndex(where: { $0.spelling == spelling }) {
        patterns[known].patterns += more
      } else {
        patterns.append((spelling, more))
      }
    }
    func add(_ page: PageReference) {
      add("page \(page.spelling)", PackagePaths.page(page))
      if scenario.settings.drawsThumbnails { add("thumbnail \(page.spelling)", PackagePaths.thumbnail(page)) }
    }
    for document in scenario.documents {
      add("document", PackagePaths.documentFile(document.id))
      add("manifest", PackagePaths.manifest(document.id))
      for page in document.pages { add(page.reference) }
    }
    var waiting = scenario.steps[...]
    while let step = waiting.popFirst() {
      waiting += step.action.inner
      switch step.action {
      case .addPage(let page, _): add(page.reference)
      case .insertImage(let made):
        if let name = made.image.name { add("image \(name)", PackagePaths.image(made.image)) }
      default: break
      }
    }
    targets = patterns.map { FaultTarget(patterns: $0.patterns, spelling: $0.spelling) }
    ids = scenario.documents.map(\.id)
    packages = ids.map { (PackagePaths.package($0) + "/", $0) }
  }

  /// What a scenario has to name so that this file is among it; nil for what lies in no package.
  package func target(for path: BytePath) -> FaultTarget? {
    if let role = targets.first(where: { $0.patterns.contains { $0.matches(path) } }) { return role }
    let text = path.description
    guard let package = packages.first(where: { text.hasPrefix($0.prefix) }) else { return nil }
    let glob = String(text.dropFirst(package.prefix.count))
    let patterns = ids.map { PackagePaths.glob(glob, $0) }
    // A name with a star in it would stand for others too; a scenario cannot say that it is meant.
    guard !glob.contains(where: { "*?\\".contains($0) }) else { return nil }
    return FaultTarget(patterns: patterns, spelling: FaultTarget.quoted(glob))
  }

  /// "write of page p1"; the path itself where no scenario could name it.
  package func spelling(of record: OperationRecord) -> String {
    let paths = [record.otherPath, record.path].compactMap { $0 }
    let target = paths.lazy.compactMap { self.target(for: $0) }.first
    return "\(record.kind.rawValue) of \(target?.spelling ?? record.path.description)"
  }
}

extension StepAction {
  /// The steps inside of a block.
  package var inner: [CheckedStep] {
    switch self {
    case .armed(_, let steps): steps
    case .tornRenames(let sweep): sweep.steps + sweep.check
    case .crashes(let sweep): sweep.steps + sweep.check + sweep.next
    case .failures(let sweep): sweep.steps + sweep.check
    case .untilSuccess(let rounds): Array(rounds.joined())
    default: []
    }
  }
}
