import FileTracing
import Files

/// What the end of a run leaves: the bytes and names that a power cut could take.
struct LintEnd {
  let tree: LintTree
  let lastSync: UInt64
  let orders: [LintFinding]

  /// Files with bytes that no fsync covers. A rename that came too early says it already, where nothing came after it.
  var data: [LintFinding] {
    tree.nodes.indices.compactMap { node in
      guard let unsynced = tree.nodes[node].unsynced, let path = tree.path(of: node) else { return nil }
      let isSaid = orders.contains {
        $0.cause == .renamedBeforeData && $0.earlier == unsynced.last && $0.alikeCount == 0
      }
      if isSaid { return nil }
      let isNew = tree.nodes[node].durableSize == nil
      var finding = LintFinding(isNew ? .newData : .changedData, path, at: unsynced.last)
      finding.earlier = unsynced.first == unsynced.last ? nil : unsynced.first
      finding.files = [path]
      finding.nameIsDoubtful = tree.nodes[node].names.allSatisfy { tree.isDoubtful($0) }
      finding.replaces = tree.nodes[node].emptied != nil
      return finding
    }
  }

  /// Names that no fsync of their directory covers.
  var names: [LintFinding] {
    tree.changedDirectories.sorted().flatMap { directory -> [LintFinding] in
      guard tree.path(of: directory) != nil else { return [] }
      return tree.nodes[directory].changes.sorted { $0.key < $1.key }.compactMap { name, change in
        finding(LintTree.Place(directory: directory, name: name), change)
      }
    }
  }

  private func finding(_ place: LintTree.Place, _ change: LintTree.Change) -> LintFinding? {
    guard tree.isDoubtful(place), let path = tree.path(of: place) else { return nil }
    let now = tree.nodes[place.directory].entries[place.name]
    let cause: LintFinding.Cause
    switch (change.partner, now) {
    case (let partner?, nil):
      // The other end of the same rename tells of both.
      if tells(partner, of: change) { return nil }
      cause = .moved
    case (_?, _?): cause = .moved
    case (nil, _?): cause = .made
    case (nil, nil): cause = .removed
    }
    var finding = LintFinding(cause, path, at: change.step)
    finding.directories = [path.parent]
    finding.replaces = now != nil && tree.nodes[place.directory].durable[place.name] != nil
    if let partner = change.partner, cause == .moved, now != nil { add(partner, of: change, to: &finding) }
    finding.nameIsDoubtful = now != nil
    if let now, tree.nodes[now].lastSync > change.step.number {
      finding.laterSync = .ofFile(tree.nodes[now].lastSync)
    } else if lastSync > change.step.number {
      finding.laterSync = .ofAnything(lastSync)
    }
    return finding
  }

  /// True where the name is in doubt because of the same step.
  private func tells(_ partner: LintTree.Place, of change: LintTree.Change) -> Bool {
    let other = tree.nodes[partner.directory].changes[partner.name]
    return other?.step == change.step && tree.isDoubtful(partner) && tree.path(of: partner) != nil
      && tree.nodes[partner.directory].entries[partner.name] != nil
  }

  /// The directory that the name was moved from, where it durably still has it.
  private func add(_ partner: LintTree.Place, of change: LintTree.Change, to finding: inout LintFinding) {
    let other = tree.nodes[partner.directory].changes[partner.name]
    guard other?.step == change.step, tree.isDoubtful(partner), let path = tree.path(of: partner) else { return }
    if path.parent != finding.directories[0] { finding.directories.append(path.parent) }
  }
}
