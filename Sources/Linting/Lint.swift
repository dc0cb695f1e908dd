import FileTracing
import Files

/// Something that is on the disk, durable, when a run begins.
package struct LintStart: Hashable, Sendable {
  /// Where it is.
  package var path: BytePath
  /// What it is.
  package var kind: FileKind
  /// The size of a file in bytes.
  package var size: UInt64

  /// A file or directory; one stands before what it holds.
  package init(_ path: BytePath, _ kind: FileKind, size: UInt64 = 0) {
    self.path = path
    self.kind = kind
    self.size = size
  }
}

/// What a run left unsynced, found by following its log. Pure; the weakest promises of POSIX are assumed.
///
///     fsync of a file        its bytes and its size are durable; not its name
///     fsync of a directory   its names are durable; not what they stand for
///     sync, syncfs           everything is durable
///     everything else        nothing is, in no order
///
/// Permissions, owners, times, locks and extended attributes are not judged. What was made and removed again, and what
/// has no name any more, is nothing to lose.
package struct Lint {
  private var tree = LintTree()
  private var orders: [LintFinding] = []
  private var lastSync: UInt64 = 0
  /// How many records changed something.
  package private(set) var changeCount = 0
  /// How often sync(2) or syncfs(2) made everything durable.
  package private(set) var syncCount = 0

  /// A run that begins with these files and directories.
  package init(_ start: [LintStart] = []) {
    for entry in start { tree.begin(with: entry) }
  }

  /// What a log leaves to chance at its end.
  package static func findings(_ records: [OperationRecord], start: [LintStart] = []) -> [LintFinding] {
    var lint = Lint(start)
    for record in records { lint.follow(record) }
    return lint.findings
  }

  /// The words of a mark that stands for a sync(2) or syncfs(2). No file system in user space sees them.
  package static let syncMark = "sync(2) seen by faultfs lint"

  /// Follows one record. A refused operation changes nothing, and an fsync that failed makes nothing durable.
  package mutating func follow(_ record: OperationRecord) {
    guard record.errno == nil else { return }
    switch record.kind {
    case .create, .mkdir, .symlink: make(record)
    case .write: write(record)
    case .truncate: truncate(record)
    case .allocate: allocate(record)
    case .fsync: synchronize(record)
    case .rename: rename(record)
    case .link: link(record)
    case .unlink, .rmdir: remove(record)
    case .sync: settleEverything(record)
    case .mark: if record.mark == Lint.syncMark { settleEverything(record) }
    case .open, .read, .readdir, .statfs, .close, .setattr, .getxattr, .setxattr, .listxattr, .removexattr, .lock,
      .control:
      // Teaches the number of the inode, for what is removed while it is open.
      _ = tree.node(of: record)
    }
  }

  // MARK: - Contents

  private mutating func write(_ record: OperationRecord) {
    guard record.lengthTaken > 0, let node = tree.node(of: record) else { return }
    if let emptied = tree.nodes[node].emptied, let path = tree.path(of: node) {
      var finding = LintFinding(.emptiedFirst, path, at: emptied)
      finding.replaces = true
      note(finding)
    }
    tree.change(node) { $0.size = max($0.size, record.offset + record.lengthTaken) }
    markUnsynced(node, record)
  }

  private mutating func truncate(_ record: OperationRecord) {
    guard let node = tree.node(of: record), record.offset != tree.nodes[node].size else { return }
    let isDurable = tree.nodes[node].durableSize ?? 0 > 0
    tree.change(node) {
      $0.size = record.offset
      if record.offset == 0 && isDurable && $0.unsynced == nil { $0.emptied = LintStep(record) }
    }
    markUnsynced(node, record)
  }

  private mutating func allocate(_ record: OperationRecord) {
    guard let node = tree.node(of: record) else { return }
    let keepsSize = record.argument & 1 != 0
    let punches = record.argument & 2 != 0
    let end = record.offset + record.lengthAsked
    // Room behind the end, and room for bytes that are there, is nothing that a reader could miss.
    if !punches && (keepsSize || end <= tree.nodes[node].size) { return }
    if !keepsSize { tree.change(node) { $0.size = max($0.size, end) } }
    markUnsynced(node, record)
  }

  private mutating func markUnsynced(_ node: Int, _ record: OperationRecord) {
    changeCount += 1
    let step = LintStep(record)
    tree.change(node) { $0.unsynced = ($0.unsynced?.first ?? step, step) }
  }

  // MARK: - Names

  private mutating func make(_ record: OperationRecord) {
    guard let place = tree.place(of: record.path) else { return }
    let kind: FileKind
    switch record.kind {
    case .mkdir: kind = .directory
    case .symlink: kind = .symbolicLink
    default: kind = record.attributes?.kind ?? .regular
    }
    let node = tree.add(kind)
    tree.know(node, as: record.inode)
    put(node, at: place, LintTree.Change(step: LintStep(record)))
  }

  private mutating func link(_ record: OperationRecord) {
    guard let node = tree.node(of: record), let path = record.otherPath, let place = tree.place(of: path) else {
      return
    }
    put(node, at: place, LintTree.Change(step: LintStep(record)))
  }

  /// Gives a node a name that was free. A durable thing that had the name is gone before the new one is sure.
  private mutating func put(_ node: Int, at place: LintTree.Place, _ change: LintTree.Change) {
    changeCount += 1
    // Only what was made elsewhere is meant to take the old one's place: a journal or lock file is made anew.
    if change.step.operation != .create, let removal = removal(at: place), tree.nodes[node].kind == .regular,
      let path = tree.path(of: place)
    {
      var finding = LintFinding(.removedThenMade, path, at: removal)
      finding.earlier = change.step
      // One matter, and this is the better word for it.
      orders.removeAll { $0.cause == .removedBeforeNew && $0.step == removal && $0.alikeCount == 0 }
      orders.append(finding)
    }
    tree.set(place, to: node, change)
  }

  /// The step that removed a durable name, where nothing has the name now and no fsync of the directory came between.
  private func removal(at place: LintTree.Place) -> LintStep? {
    let directory = tree.nodes[place.directory]
    guard let old = directory.durable[place.name], directory.entries[place.name] == nil,
      tree.nodes[old].durableSize ?? 0 > 0, let change = directory.changes[place.name],
      change.step.operation == .unlink
    else { return nil }
    return change.step
  }

  private mutating func remove(_ record: OperationRecord) {
    guard let node = tree.node(of: record), let place = tree.place(of: record.path) else { return }
    changeCount += 1
    let isOldAndFull =
      record.kind == .unlink && tree.nodes[place.directory].durable[place.name] == node
      && tree.nodes[node].kind == .regular && tree.nodes[node].durableSize ?? 0 > 0 && tree.nodes[node].names.count == 1
    if isOldAndFull { noteWhatIsNotDurable(before: record, except: node) }
    tree.set(place, to: nil, LintTree.Change(step: LintStep(record)))
  }

  /// A durable file goes: what was made before it may be meant to take its part, and is not durable yet.
  private mutating func noteWhatIsNotDurable(before record: OperationRecord, except node: Int) {
    var newest: (step: LintStep, place: LintTree.Place, node: Int)?
    for directory in tree.changedDirectories {
      for (name, change) in tree.nodes[directory].changes {
        let place = LintTree.Place(directory: directory, name: name)
        guard let made = tree.nodes[directory].entries[name], made != node, tree.nodes[made].kind == .regular,
          tree.isDoubtful(place), change.step.number > newest?.step.number ?? 0, tree.path(of: place) != nil
        else { continue }
        newest = (change.step, place, made)
      }
    }
    guard let newest, let path = tree.path(of: newest.place) else { return }
    var finding = LintFinding(.removedBeforeNew, record.path, at: LintStep(record))
    finding.earlier = newest.step
    finding.directories = [path.parent]
    if tree.nodes[newest.node].unsynced != nil { finding.files = [path] }
    note(finding)
  }

  private mutating func rename(_ record: OperationRecord) {
    guard let node = tree.node(of: record), let otherPath = record.otherPath,
      let source = tree.place(of: record.path), let target = tree.place(of: otherPath)
    else { return }
    let replaced = tree.nodes[target.directory].entries[target.name]
    // Two names of one file: nothing happens.
    if replaced == node { return }
    let step = LintStep(record)
    noteUnsyncedData(of: node, renamed: step, replaces: replaced != nil)
    if record.argument == 2, let replaced {
      noteUnsyncedData(of: replaced, renamed: step, replaces: true)
      changeCount += 1
      tree.set(source, to: nil, LintTree.Change(step: step, partner: target))
      tree.set(target, to: node, LintTree.Change(step: step, partner: source))
      tree.set(source, to: replaced, LintTree.Change(step: step, partner: target))
      return
    }
    tree.set(source, to: nil, LintTree.Change(step: step, partner: target))
    put(node, at: target, LintTree.Change(step: step, partner: source))
  }

  /// A rename gives its final name to something whose bytes are not durable.
  private mutating func noteUnsyncedData(of node: Int, renamed step: LintStep, replaces: Bool) {
    let files = tree.files(below: node).filter { tree.nodes[$0].unsynced != nil }
    guard let first = files.first, let path = tree.path(of: first), let other = step.otherPath else { return }
    var finding = LintFinding(.renamedBeforeData, other, at: step)
    finding.earlier = tree.nodes[first].unsynced?.last
    finding.files = [path]
    finding.replaces = replaces
    finding.alikeCount = files.count - 1
    orders.append(finding)
  }

  // MARK: - Syncs

  private mutating func synchronize(_ record: OperationRecord) {
    guard let node = tree.node(of: record) else { return }
    lastSync = record.number
    guard tree.nodes[node].kind == .directory else { return tree.settleData(of: node, at: record.number) }
    for (name, change) in tree.nodes[node].changes.sorted(by: { $0.key < $1.key }) {
      noteLostBetween(LintTree.Place(directory: node, name: name), change, record)
    }
    tree.settleNames(of: node)
  }

  /// The old directory of a move is synced first: for a moment the file durably has no name at all.
  private mutating func noteLostBetween(_ place: LintTree.Place, _ change: LintTree.Change, _ record: OperationRecord) {
    guard let partner = change.partner, partner.directory != place.directory,
      let moved = tree.nodes[place.directory].durable[place.name],
      tree.nodes[partner.directory].entries[partner.name] == moved, tree.isDoubtful(partner),
      let path = tree.path(of: partner)
    else { return }
    var finding = LintFinding(.oldDirectoryFirst, path, at: LintStep(record))
    finding.earlier = change.step
    finding.directories = [path.parent]
    note(finding)
  }

  private mutating func settleEverything(_ record: OperationRecord) {
    syncCount += 1
    lastSync = record.number
    tree.settleEverything(at: record.number)
  }

  /// Notes an order once for each step that came before it; the rest is counted.
  private mutating func note(_ finding: LintFinding) {
    let same = orders.firstIndex {
      $0.cause == finding.cause && $0.earlier == finding.earlier && (finding.earlier != nil || $0.step == finding.step)
    }
    guard let same else { return orders.append(finding) }
    if orders[same].step != finding.step { orders[same].alikeCount += 1 }
  }

  // MARK: - The end

  /// What is left to chance now, in the order of the log.
  package var findings: [LintFinding] {
    let summary = LintEnd(tree: tree, lastSync: lastSync, orders: orders)
    return (summary.data + summary.names + orders).sorted {
      ($0.step.number, $0.cause.rawValue, $0.path) < ($1.step.number, $1.cause.rawValue, $1.path)
    }
  }
}
