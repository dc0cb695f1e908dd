import Files

/// Files that have names outside of the document: LN1004.
///
/// Nothing is said of a document that was repaired: what a repair puts in its place keeps the name that it had.
enum LinkCheck {
  static func problems(in view: PackageView) -> [Problem] {
    if view.facts.hasNamesSetAside { return [] }
    let linked = linked(in: view.facts)
    // A second name inside the document is told by itself.
    let names = (linked + view.facts.strays.map(\.file).filter(isLinked))
      .reduce(into: [:]) { $0[inode($1), default: 0] += 1 }
    let outside = linked.filter { file in file.status.map { $0.links > UInt64(names[inode(file)] ?? 0) } ?? false }
    guard let first = outside.first else { return [] }
    return [
      Problem(
        .hardLinked, path: outside.count == 1 ? first.path : nil,
        evidence: "\(first.path) has \(first.status?.links ?? 0) names",
        slots: ["count": outside.count == 1 ? "1 file" : "\(Sentences.grouped(UInt64(outside.count))) files"])
    ]
  }

  /// The package's own files that have more than one name.
  static func linked(in facts: PackageFacts) -> [FileFacts] {
    let files = [facts.document.file, facts.manifest.file].compactMap { $0 } + facts.pages.map(\.file)
    return (files + facts.assets.map(\.file) + facts.thumbnails.map(\.file)).filter(isLinked)
  }

  private static func isLinked(_ file: FileFacts) -> Bool {
    file.status.map { $0.kind == .regular && $0.links > 1 } ?? false
  }

  private static func inode(_ file: FileFacts) -> [UInt64] { file.status.map { [$0.device, $0.inode] } ?? [] }
}
