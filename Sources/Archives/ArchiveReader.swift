import CArchive
import Files
import Glibc

/// An archive of the host, read once from its beginning to its end: what it holds, and what came of it.
package struct Archive: Sendable {
  /// What it holds.
  package let volume: ArchiveVolume
  /// What was held, what was not, and where it ended.
  package let account: ArchiveAccount

  /// Reads a ZIP, tar or tar.gz; nil where the file is none of these.
  ///
  /// A cut or damaged one gives what is whole in front of the damage, and the part of the entry in which it ends.
  ///
  /// - Parameters:
  ///   - path: its path on `source`, never opened through a link.
  ///   - spoolFolder: where the unnamed file lies that holds what is too much for the memory; nil for TMPDIR.
  package static func read(
    _ path: BytePath, in source: HostVolume, limits: ArchiveLimits = ArchiveLimits(), spoolFolder: BytePath? = nil
  ) throws(FileCallError) -> Archive? {
    let file = try source.open(path, for: .reading)
    defer { try? source.close(file) }
    let status = try source.status(of: file)
    guard status.kind == .regular else { return nil }
    guard let library = ArchiveReader.library else { throw FileCallError("dlopen", ["libarchive.so.13"], .elibacc) }
    var reader = ArchiveReader(library, size: status.size, limits: limits, spoolFolder: spoolFolder)
    guard try reader.run(file) else { return nil }
    if reader.account.end == .whole, reader.isZIP, try !hasListAtEnd(file, size: status.size, in: source) {
      reader.account.end = .damaged("no end of central directory")
    }
    return Archive(
      volume: ArchiveVolume(tree: reader.tree, spool: reader.holder.spool), account: reader.account)
  }

  /// A ZIP ends with a list of its entries; read as a stream, one that was cut off there alone looks whole.
  ///
  /// Source: APPNOTE.TXT 4.3.16; the record is 22 bytes and a comment of up to 65,535.
  private static func hasListAtEnd(
    _ file: OpenFile, size: UInt64, in source: HostVolume
  ) throws(FileCallError) -> Bool {
    let count = Int(min(size, 22 + 65_535))
    let tail = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
    defer { tail.deallocate() }
    var done = 0
    while done < count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: tail[done...])
      let taken = try source.read(file, at: size - UInt64(count - done), into: rest)
      if taken == 0 { break }
      done += taken
    }
    let mark = Array("PK\u{5}\u{6}".utf8)
    return (0..<max(0, done - 21)).contains { tail[$0] == mark[0] && tail[$0..<($0 + 4)].elementsEqual(mark) }
  }
}

/// One pass of libarchive over a file.
struct ArchiveReader {
  private static let blockBytes = 256 << 10
  /// libarchive, loaded when it is first asked for; nil where it cannot be.
  static let library = carchive_load()?.pointee

  private let library: carchive
  let limits: ArchiveLimits
  private let unpackedBytesMax: UInt64
  private var unpackedBytes: UInt64 = 0
  private var nameBytes = 0
  private var headers = 0
  var account = ArchiveAccount()
  var tree = ArchiveTree()
  var holder: ArchiveHolder
  private(set) var isZIP = false
  private var failing: ArchiveAccount.Part?

  init(_ library: carchive, size: UInt64, limits: ArchiveLimits, spoolFolder: BytePath?) {
    self.library = library
    self.limits = limits
    unpackedBytesMax = limits.unpackedBytes(ofArchive: size)
    holder = ArchiveHolder(memoryBytesMax: limits.memoryBytesMax, below: spoolFolder)
  }

  /// Reads everything; false where the file is no archive.
  mutating func run(_ file: OpenFile) throws(FileCallError) -> Bool {
    // libarchive turns names into the charset of the locale; in this thread that is UTF-8, whatever the user has.
    let charset = newlocale(CInt(1 << LC_CTYPE), "C.UTF-8", nil)
    let before = charset.map { uselocale($0) }
    defer {
      if let before { uselocale(before) }
      if let charset { freelocale(charset) }
    }
    guard let archive = library.read_new() else { throw FileCallError("archive_read_new", [], .eio) }
    defer { _ = library.read_free(archive) }
    for support in [
      library.read_support_filter_gzip, library.read_support_format_zip, library.read_support_format_tar,
    ] { _ = support(archive) }
    guard library.read_open_fd(archive, file.number, ArchiveReader.blockBytes) == ARCHIVE_OK else {
      return judgeBeginning(archive, file)
    }
    while account.end == .whole {
      var entry: OpaquePointer?
      let status = library.read_next_header(archive, &entry)
      headers += 1
      if status == ARCHIVE_EOF {
        // Zeros alone would be a tar without entries.
        if headers == 1 && !hasMark(file) { return false }
        break
      }
      guard status > ARCHIVE_FATAL, let entry else {
        if library.error_number(archive) == EIO { throw FileCallError("read", [], .eio) }
        if headers == 1 { return judgeBeginning(archive, file) }
        account.end = .damaged(message(archive))
        break
      }
      isZIP = library.format(archive) & ARCHIVE_FORMAT_BASE_MASK == ARCHIVE_FORMAT_ZIP
      if headers > limits.entriesMax || nameBytes > limits.nameBytesMax {
        account.end = .tooMany(limit: limits.entriesMax)
        break
      }
      settle()
      try take(entry, of: archive)
    }
    if case .damaged = account.end { account.cut = failing } else { settle() }
    return true
  }

  /// What came behind a damaged entry could be read: so it was not the end.
  private mutating func settle() {
    if let failing { account.damaged.add(failing.path) }
    failing = nil
  }

  /// Of a file that libarchive cannot begin to read: an archive all the same, by its first bytes?
  private mutating func judgeBeginning(_ archive: OpaquePointer, _ file: OpenFile) -> Bool {
    account.end = .damaged(message(archive))
    return hasMark(file)
  }

  /// True where a file begins as a ZIP or a gzip file does.
  private func hasMark(_ file: OpenFile) -> Bool {
    var head = [UInt8](repeating: 0, count: 4)
    let count = pread(file.number, &head, head.count, 0)
    let marks: [[UInt8]] = [[0x50, 0x4B, 3, 4], [0x50, 0x4B, 5, 6], [0x1F, 0x8B, 8]]
    return count > 0 && marks.contains { head.prefix(count).starts(with: $0) }
  }

  private func message(_ archive: OpaquePointer) -> String {
    library.error_string(archive).map { String(cString: $0) } ?? "it ends before its end"
  }

  // MARK: One entry

  private mutating func take(_ entry: OpaquePointer, of archive: OpaquePointer) throws(FileCallError) {
    guard let name = library.entry_pathname(entry) else {
      account.outside.add("(a name that cannot be read)")
      return
    }
    let bytes = BytePath(bytes: UnsafeRawBufferPointer(start: name, count: strlen(name)))
    nameBytes += bytes.bytes.count
    let path = BytePath(
      bytes: bytes.components.filter { $0 != "." }.map(\.bytes).joined(separator: [UInt8(ascii: "/")]))
    if path.isRoot || ArchiveReader.isTwin(path) { return }
    guard path.refusal == nil, path.components.count <= limits.depthMax else {
      account.outside.add(bytes)
      return
    }
    if bytes.bytes.first == UInt8(ascii: "/") { account.absolute.add(bytes) }
    var node = self.node(of: entry)
    if let target = library.entry_hardlink(entry) {
      let target = BytePath(bytes: UnsafeRawBufferPointer(start: target, count: strlen(target)))
      guard let place = hardLinked(target) else {
        account.damaged.add(path)
        return
      }
      node = tree.nodes[place]
    } else if node.kind == .regular {
      try readContent(&node, path, of: archive, entry)
      if account.end != .whole { return }
    }
    account.held += 1
    if tree.add(node, at: path) == .doubled { account.doubled.add(path) }
  }

  /// True for what macOS puts beside each file into its archives: "__MACOSX/…" and "._X".
  private static func isTwin(_ path: BytePath) -> Bool {
    path.components.contains("__MACOSX") || path.name.hasPrefix("._")
  }

  private func node(of entry: OpaquePointer) -> ArchiveNode {
    let mode = mode_t(library.entry_filetype(entry))
    // A ZIP that is read as a stream does not say what its entries are.
    var node = ArchiveNode(kind: mode == 0 ? .regular : FileKind(mode: mode))
    let permissions = UInt16(library.entry_perm(entry) & 0o777)
    node.permissions = permissions == 0 ? 0o644 : permissions
    if library.entry_mtime_is_set(entry) != 0 {
      let (seconds, overflow) = Int64(library.entry_mtime(entry)).multipliedReportingOverflow(by: 1_000_000_000)
      node.modified = overflow ? 0 : seconds
    }
    if node.kind == .symbolicLink, let text = library.entry_symlink(entry) {
      node.link = BytePath(bytes: UnsafeRawBufferPointer(start: text, count: strlen(text)))
    }
    return node
  }

  /// The file of the archive that a hard link names; only what came before it counts.
  private func hardLinked(_ target: BytePath) -> Int? {
    let names = target.components.filter { $0 != "." }
    let path = BytePath(bytes: names.map(\.bytes).joined(separator: [UInt8(ascii: "/")]))
    guard path.refusal == nil, let place = tree.find(path), tree.nodes[place].kind == .regular else { return nil }
    return place
  }

  private mutating func readContent(
    _ node: inout ArchiveNode, _ path: BytePath, of archive: OpaquePointer, _ entry: OpaquePointer
  ) throws(FileCallError) {
    let size = library.entry_size_is_set(entry) == 0 ? nil : UInt64(exactly: library.entry_size(entry))
    node.size = size ?? 0
    if library.entry_is_encrypted(entry) != 0 {
      account.encrypted.add(path)
      node.content = .refused(.eacces)
      return
    }
    if let size, size > limits.entryBytesMax {
      node.content = .refused(.efbig)
      return
    }
    defer { holder.drop() }
    var isTooLarge = false
    while !isTooLarge && account.end == .whole {
      var start: UnsafeRawPointer?
      var count = 0
      var offset: la_int64_t = 0
      let status = library.read_data_block(archive, &start, &count, &offset)
      if status == ARCHIVE_EOF { break }
      // A checksum that does not fit is told with the last bytes.
      if status >= ARCHIVE_WARN {
        let bytes = UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
        isTooLarge = try !hold(bytes, at: UInt64(max(0, offset)))
      }
      if status < ARCHIVE_OK {
        node.isWhole = false
        failing = ArchiveAccount.Part(path: path, bytes: holder.count, expected: size)
        if status < ARCHIVE_WARN { break }
      }
    }
    // A sparse file may end with a hole.
    if node.isWhole, account.end == .whole, !isTooLarge, let size {
      isTooLarge = try !hold(.init(start: nil, count: 0), at: size)
    }
    node.size = isTooLarge ? max(size ?? 0, limits.entryBytesMax + 1) : holder.count
    node.content = isTooLarge ? .refused(.efbig) : holder.finish()
  }

  /// Takes bytes of the present entry, with zeros for a hole in front of them; false where that is too much.
  private mutating func hold(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(FileCallError) -> Bool {
    let start = max(offset, holder.count)
    guard start + UInt64(bytes.count) <= limits.entryBytesMax else { return false }
    unpackedBytes += start - holder.count + UInt64(bytes.count)
    if unpackedBytes > unpackedBytesMax {
      account.end = .tooLarge(limit: unpackedBytesMax)
      return true
    }
    try holder.addZeros(start - holder.count)
    try holder.add(bytes)
    return true
  }
}
