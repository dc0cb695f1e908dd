import Files
import Synchronization

/// A volume that makes one sync, rename or unlink of its user differently, and the others as asked.
///
/// The user is told that the altered step was done. A step that waits is made behind another one, in whose name it
/// fails where it can no longer be made.
package final class AlteredVolume: VolumeLayer {
  /// The volume below.
  package let below: any Volume

  private struct State {
    var files: [OpenFile: (path: BytePath, isDirectory: Bool)] = [:]
    /// The second half of a write, which comes behind the sync.
    var tail: (file: OpenFile, offset: UInt64, bytes: [UInt8])?
    /// A file that its user has closed while its sync waits.
    var closing: OpenFile?
  }

  private let seam: Seam
  private let state = Mutex(State())

  /// A layer over a volume, with what this seam alters.
  package init(over below: any Volume, at seam: Seam) {
    self.below = below
    self.seam = seam
  }

  // MARK: The steps

  /// fsync, or what becomes of it.
  package func synchronize(_ file: OpenFile) throws(FileCallError) {
    let isTailOfFile = state.withLock { $0.tail?.file == file }
    if !isTailOfFile { try settleTail() }
    let known = state.withLock { $0.files[file] }
    let kind: SeamStep.Kind = known?.isDirectory == true ? .directorySync : .fileSync
    try step(.synchronize(file), kind, known?.path ?? .root)
  }

  /// A rename, or what becomes of it.
  package func rename(_ from: BytePath, to: BytePath) throws(FileCallError) {
    try step(.rename(from, to: to), .rename, to)
  }

  /// A rename that replaces nothing, or what becomes of it.
  package func renameKeeping(_ from: BytePath, to: BytePath) throws(FileCallError) {
    try step(.renameKeeping(from, to: to), .rename, to)
  }

  /// An unlink, or what becomes of it.
  package func unlink(_ path: BytePath) throws(FileCallError) { try step(.unlink(path), .unlink, path) }

  private func step(_ call: SeamCall, _ kind: SeamStep.Kind, _ path: BytePath) throws(FileCallError) {
    // What waits is due behind this step, and not behind itself.
    let due = seam.due(behindStep: true)
    switch (seam.pass(call, kind, path, on: self), call) {
    case (nil, _), (.halved, _):
      try call.make(on: below)
      try settleTail()
    case (.copied, .rename(let from, let to)): try copy(from, to: to, .overwriting(permissions: 0o644))
    case (.copied, .renameKeeping(let from, let to)): try copy(from, to: to, .creating(permissions: 0o644))
    case (.linked, .rename(let from, let to)):
      if try stands(to) { try below.unlink(to) }
      try link(from, insteadOf: to)
    case (.linked, .renameKeeping(let from, let to)): try link(from, insteadOf: to)
    case (.emptied, .unlink(let path)): try empty(path)
    default: break  // Dropped, or held.
    }
    if let due { try make(due) }
  }

  private func copy(_ from: BytePath, to: BytePath, _ purpose: OpenPurpose) throws(FileCallError) {
    let size = try below.status(at: from).size
    let bytes = try below.readWhole(from, sizeMax: Int(clamping: size))
    let file = try below.open(to, for: purpose)
    try below.writeWhole(file, bytes)
    try below.close(file)
    try below.unlink(from)
  }

  private func link(_ from: BytePath, insteadOf to: BytePath) throws(FileCallError) {
    try below.link(from, to: to)
    try below.unlink(from)
  }

  private func empty(_ path: BytePath) throws(FileCallError) {
    let file = try below.open(path, for: .writing)
    try below.truncate(file, to: 0)
    try below.close(file)
    try below.unlink(path)
  }

  private func stands(_ path: BytePath) throws(FileCallError) -> Bool {
    do throws(FileCallError) {
      _ = try below.status(at: path)
      return true
    } catch {
      if error.errno == .enoent { return false }
      throw error
    }
  }

  // MARK: What waits

  /// Makes what waits for a change, behind one.
  private func changed() throws(FileCallError) {
    if let due = seam.due(behindStep: false) { try make(due) }
  }

  /// Makes a call that has waited.
  func make(_ call: SeamCall) throws(FileCallError) {
    try call.make(on: below)
    let closing = state.withLock { state in
      defer { state.closing = nil }
      return state.closing
    }
    if let closing { try below.close(closing) }
  }

  /// Writes the second half of a write that no sync has come behind, or one has.
  private func settleTail() throws(FileCallError) {
    let tail = state.withLock { state in
      defer { state.tail = nil }
      return state.tail
    }
    if let tail { try below.writeWhole(tail.file, at: tail.offset, tail.bytes) }
  }

  // MARK: The other calls

  /// As below; what is opened has a path from here on.
  package func open(_ path: BytePath, for purpose: OpenPurpose) throws(FileCallError) -> OpenFile {
    try settleTail()
    let file = try below.open(path, for: purpose)
    state.withLock { $0.files[file] = (path, purpose == .directory) }
    if purpose != .reading && purpose != .directory && purpose != .writing { try changed() }
    return file
  }

  /// As below; a file whose sync waits is closed behind it.
  package func close(_ file: OpenFile) throws(FileCallError) {
    try settleTail()
    if seam.holds(file) { return state.withLock { $0.closing = file } }
    state.withLock { _ = $0.files.removeValue(forKey: file) }
    try below.close(file)
  }

  /// As below; half of it, where the sync that comes shall cover half.
  package func write(
    _ file: OpenFile, at offset: UInt64, _ bytes: UnsafeRawBufferPointer
  ) throws(FileCallError) -> Int {
    try settleTail()
    guard seam.halvesNextSync, bytes.count > 1 else {
      let count = try below.write(file, at: offset, bytes)
      try changed()
      return count
    }
    let taken = try below.write(file, at: offset, UnsafeRawBufferPointer(rebasing: bytes[..<(bytes.count / 2)]))
    state.withLock { $0.tail = (file, offset + UInt64(taken), Array(bytes[taken...])) }
    return bytes.count
  }

  /// As below, behind what waits to be written.
  package func read(
    _ file: OpenFile, at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(FileCallError) -> Int {
    try settleTail()
    return try below.read(file, at: offset, into: buffer)
  }

  /// As below.
  package func truncate(_ file: OpenFile, to size: UInt64) throws(FileCallError) {
    try settleTail()
    try below.truncate(file, to: size)
    try changed()
  }

  /// As below.
  package func link(_ from: BytePath, to: BytePath) throws(FileCallError) {
    try below.link(from, to: to)
    try changed()
  }

  /// As below.
  package func makeDirectory(_ path: BytePath, permissions: UInt16) throws(FileCallError) {
    try below.makeDirectory(path, permissions: permissions)
    try changed()
  }

  /// As below.
  package func removeDirectory(_ path: BytePath) throws(FileCallError) {
    try below.removeDirectory(path)
    try changed()
  }

  /// As below.
  package func setAttributes(_ file: OpenFile, permissions: UInt16?, modified: Int64?) throws(FileCallError) {
    try below.setAttributes(file, permissions: permissions, modified: modified)
    try changed()
  }
}
