import FileTracing
import Files

/// The tree with which a log begins. All of it is durable.
struct SetUpTree {
  /// One name of the tree.
  struct Item {
    var path: BytePath
    var inode: UInt64
    /// An earlier path of the same file, for a hard link.
    var linkOf: BytePath?
    var attributes: RecordedAttributes
    /// The text of a symbolic link.
    var text = BytePath.root
    var content = FileContent()
    var extendedAttributes: ExtendedAttributes = [:]
  }

  /// The root first, every directory before what is in it.
  var items: [Item]
  /// The number that the next new inode gets.
  var nextInode: UInt64
}

// A log file is complete in itself: it tells the tree with which it begins in set-up records, which have the number 0,
// are not counted, and which no rule has seen. A file is a create, a truncate to its size, and writes of its data.
extension DiskEngine {
  /// Writes header and tree to a sink, which from now on gets every record; call `beginRecording` before.
  package mutating func beginLog(to sink: any OperationLogSink, program: String = "faultfs") {
    let tree = setUpTree()
    OperationLogWriter.write(header(program: program, nextInode: tree.nextInode), to: sink)
    write(tree, to: sink)
    logSink = sink
  }

  /// Writes a log file of everything that is kept since the last `beginRecording`.
  package func writeLog(to sink: any OperationLogSink, program: String = "faultfs") {
    var header = header(program: program, nextInode: treeAtBeginning?.nextInode ?? nextInodeNumber)
    header.hasTree = treeAtBeginning != nil
    header.hasData = configuration.logKeepsData
    header.droppedCount = log.droppedCount
    OperationLogWriter.write(header, to: sink)
    if let treeAtBeginning { write(treeAtBeginning, to: sink) }
    for record in log.records { write(record, to: sink) }
  }

  private func header(program: String, nextInode: UInt64) -> OperationLogHeader {
    var header = OperationLogHeader(
      program: program, seed: configuration.seed, begun: configuration.clock?() ?? ticks, nextInode: nextInode)
    configuration.tell(&header)
    return header
  }

  /// Writes a record and its data, which must still be in the arena.
  func write(_ record: OperationRecord, to sink: any OperationLogSink) {
    var pieces: [UnsafeRawBufferPointer] = []
    if let address = record.dataAddress {
      arena.forEachPiece(at: address, length: record.lengthTaken) { pieces.append($0) }
    }
    OperationLogWriter.write(record, data: pieces, to: sink)
  }

  /// Keeps the tree as it is, so that a log that is written later is complete.
  mutating func noteTreeAtBeginning() {
    treeAtBeginning = configuration.logKeepsData ? setUpTree() : nil
    treeAtRestart = nil
  }

  /// Keeps the tree that a restart has made, with which another recording begins.
  mutating func noteTreeAtRestart() {
    guard configuration.logKeepsData else { return }
    treeAtRestart = Restart(tree: setUpTree(), lastRecord: log.records.last?.number ?? 0)
  }

  func setUpTree() -> SetUpTree {
    var items: [SetUpTree.Item] = []
    guard let root = try? inode(rootInode) else { return SetUpTree(items: [], nextInode: nextInodeNumber) }
    var seen: [UInt64: BytePath] = [:]
    var waiting: [(path: BytePath, inode: Inode)] = [(.root, root)]
    while let (path, inode) = waiting.popLast() {
      let first = seen[inode.number]
      items.append(
        SetUpTree.Item(
          path: path, inode: inode.number, linkOf: first, attributes: inode.recordedAttributes, text: inode.text,
          content: inode.content, extendedAttributes: inode.extendedAttributes))
      if first == nil { seen[inode.number] = path }
      // Names last-in-first-out: backwards, so that they come in order.
      for entry in (inode.directory?.sortedEntries ?? []).reversed() {
        waiting.append((path.appending(entry.name), entry.inode))
      }
    }
    return SetUpTree(items: items, nextInode: nextInodeNumber)
  }

  private func write(_ tree: SetUpTree, to sink: any OperationLogSink) {
    for item in tree.items {
      if let first = item.linkOf {
        write(OperationRecord(number: 0, kind: .link, path: first, otherPath: item.path, inode: item.inode), to: sink)
        continue
      }
      let kind: OperationKind =
        switch item.attributes.kind {
        case .directory: .mkdir
        case .symbolicLink: .symlink
        default: .create
        }
      write(
        OperationRecord(
          number: 0, kind: kind, path: item.path, otherPath: kind == .symlink ? item.text : nil, inode: item.inode,
          argument: UInt64(item.attributes.permissions), time: item.attributes.modified, attributes: item.attributes),
        to: sink)
      if item.attributes.kind == .regular { writeContent(of: item, to: sink) }
      writeExtendedAttributes(of: item, to: sink)
    }
  }

  private func writeExtendedAttributes(of item: SetUpTree.Item, to sink: any OperationLogSink) {
    for (name, value) in item.extendedAttributes.sorted(by: { $0.key < $1.key }) {
      let length = UInt64(value.count)
      let record = OperationRecord(
        number: 0, kind: .setxattr, path: item.path, otherPath: name, inode: item.inode, lengthAsked: length,
        lengthTaken: length)
      value.withUnsafeBytes { OperationLogWriter.write(record, data: value.isEmpty ? [] : [$0], to: sink) }
    }
  }

  private func writeContent(of item: SetUpTree.Item, to sink: any OperationLogSink) {
    let draft = OperationRecord(number: 0, kind: .write, path: item.path, inode: item.inode)
    if item.content.size > 0 {
      var record = draft
      record.kind = .truncate
      record.offset = item.content.size
      write(record, to: sink)
    }
    for extent in item.content.extents.extents {
      var record = draft
      record.offset = extent.start
      record.lengthAsked = extent.length
      record.lengthTaken = extent.length
      if extent.address >= LogArena.zeros {
        record.kind = .allocate
        // Reserved space may lie behind the end of the file.
        record.argument = 1
        write(record, to: sink)
        continue
      }
      while record.offset < extent.end {
        record.lengthAsked = min(extent.end - record.offset, UInt64(DiskEngine.writeBytesMax))
        record.lengthTaken = record.lengthAsked
        record.dataAddress = extent.address + (record.offset - extent.start)
        write(record, to: sink)
        record.offset += record.lengthTaken
      }
    }
  }

  /// What the record of an operation tells of its inode.
  ///
  /// That is for operations that make one or change its attributes; a write tells it where it took away a set bit.
  func recordedAttributes(after record: OperationRecord) -> RecordedAttributes? {
    switch record.kind {
    case .create, .mkdir, .symlink, .setattr: return (try? inode(record.inode))?.recordedAttributes
    default: return record.attributes
    }
  }
}

extension Inode {
  /// What it is, for the log.
  var recordedAttributes: RecordedAttributes {
    RecordedAttributes(
      kind: kind, permissions: permissions, owner: owner, group: group, deviceNumber: deviceNumber, accessed: modified,
      modified: modified)
  }
}
