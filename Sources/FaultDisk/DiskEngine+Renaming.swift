import FileTracing
import Files

/// The two ends of a rename, found and checked.
struct RenameEnds {
  let source: Inode
  let sourceName: BytePath
  let sourceDirectory: Inode
  let target: Inode?
  let targetName: BytePath
  /// The name of the target as it is stored, which may be spelled in another way.
  let replacedName: BytePath
  let targetDirectory: Inode
}

extension DiskEngine {
  /// Renames. A torn one may leave other names than the answer says, so a kernel must not have believed any.
  package mutating func rename(
    _ name: BytePath, in directory: UInt64, to newName: BytePath, in newDirectory: UInt64, mode: RenameMode,
    _ caller: Caller
  ) throws(Errno) {
    try admit(caller)
    let parent = try self.directory(directory)
    let newParent = try self.directory(newDirectory)
    let name = parent.names.spelling(of: name)
    let replacedName = newParent.names.spelling(of: newName)
    // What is exchanged keeps its names; what is renamed gets the one that is asked for.
    let newName = mode == .exchanging ? replacedName : newName
    let isRespelled = parent.inode === newParent.inode && name == replacedName && name != newName
    var draft = draft(
      .rename, path(of: name, in: parent.inode), to: path(of: newName, in: newParent.inode), caller)
    draft.argument = mode.rawValue
    let ends = try refusing(draft) { engine throws(Errno) in
      let ends = RenameEnds(
        source: try engine.entry(name, in: directory, caller), sourceName: name, sourceDirectory: parent.inode,
        target: isRespelled ? nil : try engine.possibleEntry(newName, in: newDirectory, caller), targetName: newName,
        replacedName: replacedName, targetDirectory: newParent.inode)
      try engine.check(ends, mode, caller)
      return ends
    }
    draft.inode = ends.source.number
    // Two names of one file: nothing to do, and a kernel does not even ask.
    if ends.source === ends.target { return append(draft) }
    try perform(draft, caller, canTear: mode != .exchanging && !isRespelled && ends.source.kind == .regular) {
      engine, _, extent throws(Errno) in
      if case .torn(let way) = extent { return engine.tear(ends, way) }
      if mode == .exchanging { engine.exchange(ends) } else { engine.move(ends) }
    }
  }

  private func possibleEntry(_ name: BytePath, in directory: UInt64, _ caller: Caller) throws(Errno) -> Inode? {
    do throws(Errno) {
      return try entry(name, in: directory, caller)
    } catch {
      if error == .enoent { return nil }
      throw error
    }
  }

  /// The errors of a sound disk, in Linux's order.
  private func check(_ ends: RenameEnds, _ mode: RenameMode, _ caller: Caller) throws(Errno) {
    try DiskEngine.check(name: ends.targetName)
    if mode == .keeping && ends.target != nil { throw Errno.eexist }
    if mode == .exchanging && ends.target == nil { throw Errno.enoent }
    if isWithin(ends.targetDirectory, ends.source) { throw Errno.einval }
    if let target = ends.target, isWithin(ends.sourceDirectory, target) {
      throw mode == .exchanging ? Errno.einval : .enotempty
    }
    if ends.source === ends.target { return }
    if ends.targetDirectory.names.isEmpty && ends.targetDirectory.directory?.isRoot == false {
      throw Errno.enoent
    }
    try check(.write, to: ends.sourceDirectory, by: caller)
    try checkSticky(ends.source, in: ends.sourceDirectory, caller)
    try check(.write, to: ends.targetDirectory, by: caller)
    if let target = ends.target { try checkSticky(target, in: ends.targetDirectory, caller) }
    guard let target = ends.target, mode != .exchanging else { return }
    if ends.source.kind == .directory {
      guard let names = target.directory else { throw Errno.enotdir }
      if !names.entries.isEmpty { throw Errno.enotempty }
    } else if target.kind == .directory {
      throw Errno.eisdir
    }
  }

  /// True where `inode` is `ancestor` or lies below it.
  private func isWithin(_ inode: Inode, _ ancestor: Inode) -> Bool {
    guard ancestor.kind == .directory else { return false }
    var place = inode
    while place !== ancestor {
      guard let name = place.lastName, let parent = try? self.inode(name.directory) else { return false }
      place = parent
    }
    return true
  }

  private mutating func move(_ ends: RenameEnds) {
    let time = now()
    if let target = ends.target {
      // What the name stood for before: a file saved this way returns to it.
      ends.source.earlier = target.content
      ends.source.isChanged = ends.source.isChanged && ends.source.durableContent != nil
      detach(target, ends.replacedName, from: ends.targetDirectory, at: time)
      dropIfUnused(target)
    }
    detach(ends.source, ends.sourceName, from: ends.sourceDirectory, at: time)
    attach(ends.source, ends.targetName, to: ends.targetDirectory, at: time)
    if ends.source.kind == .directory { pathGeneration += 1 }
  }

  private mutating func exchange(_ ends: RenameEnds) {
    guard let target = ends.target else { return }
    let time = now()
    detach(target, ends.targetName, from: ends.targetDirectory, at: time)
    detach(ends.source, ends.sourceName, from: ends.sourceDirectory, at: time)
    attach(ends.source, ends.targetName, to: ends.targetDirectory, at: time)
    attach(target, ends.sourceName, to: ends.sourceDirectory, at: time)
    if ends.source.kind == .directory || target.kind == .directory { pathGeneration += 1 }
  }
}

// MARK: - Torn renames

extension DiskEngine {
  /// Lets a rename of a regular file go wrong: both names, and the bytes that they stand for, are as said, and durable,
  /// at once. (The directories themselves are as durable as they were.)
  ///
  /// A spoilt target is a new inode, so that no kernel shows what it remembers of the old one.
  private mutating func tear(_ ends: RenameEnds, _ way: TornRename) {
    let time = now()
    switch way {
    case .notDone: break
    case .doneButError: move(ends)
    case .bothNames:
      removeTarget(of: ends, at: time)
      attach(ends.source, ends.targetName, to: ends.targetDirectory, at: time)
    case .neitherName:
      removeTarget(of: ends, at: time)
      removeSource(of: ends, at: time)
    case .oldTarget: removeSource(of: ends, at: time)
    case .sourceOnly: removeTarget(of: ends, at: time)
    case .targetEmpty, .targetZeros, .targetPrefix, .targetHoles:
      let spoilt = ends.source.likeness(number: nextInodeNumber)
      spoilt.content = ends.source.content.spoilt(way)
      insert(spoilt)
      removeTarget(of: ends, at: time)
      removeSource(of: ends, at: time)
      attach(spoilt, ends.targetName, to: ends.targetDirectory, at: time)
    }
    settle(ends.sourceName, in: ends.sourceDirectory)
    settle(ends.targetName, in: ends.targetDirectory)
  }

  private mutating func removeTarget(of ends: RenameEnds, at time: Int64) {
    guard let target = ends.target else { return }
    detach(target, ends.replacedName, from: ends.targetDirectory, at: time)
    dropIfUnused(target)
  }

  private mutating func removeSource(of ends: RenameEnds, at time: Int64) {
    detach(ends.source, ends.sourceName, from: ends.sourceDirectory, at: time)
    dropIfUnused(ends.source)
  }

  /// Makes one name and what it stands for durable.
  private func settle(_ name: BytePath, in directory: Inode) {
    guard let names = directory.directory else { return }
    names.makeDurable(name)
    guard let inode = names.inode(named: name) else { return }
    inode.durableContent = inode.content
    inode.durableExtendedAttributes = inode.extendedAttributes
  }
}

extension FileContent {
  /// This content as a torn rename leaves it; itself for the ways that spoil no content.
  ///
  /// Holes: every second block of 4096 bytes, from the second on, is zeros; in a file of at most one block every second
  /// sector of 512 bytes; in a file of at most one sector its second half.
  func spoilt(_ way: TornRename) -> FileContent {
    switch way {
    case .targetEmpty: return FileContent()
    case .targetZeros: return FileContent(extents: ExtentList(), size: size)
    case .targetPrefix(let bytes):
      let end = min(bytes ?? size / 2, size)
      var cut = self
      cut.extents.remove(from: end, to: .max)
      cut.size = end
      return cut
    case .targetHoles:
      var holed = self
      let step: UInt64 = size > 4096 ? 4096 : size > 512 ? 512 : max(size / 2, 1)
      for start in stride(from: step, to: size, by: UInt64.Stride(2 * step)) {
        holed.extents.remove(from: start, to: min(start + step, size))
      }
      return holed
    default: return self
    }
  }
}
