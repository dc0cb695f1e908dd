import CKernelCalls
import Files
import Glibc

/// A directory of one file system, and the open files of a program that works in it.
///
/// Confined to one thread, since it changes that thread's user.
final class KernelSide {
  /// The directory, without rights of its own: every path of a call goes from here.
  let root: CInt
  private var slots: [Int: CInt] = [:]
  private let keepsTimes: Bool
  private var times: [ino_t: (modified: timespec, changed: timespec)] = [:]

  /// A side in an existing directory, absolute path; `keepsTimes` tells which times a call has changed.
  init(_ directory: BytePath, keepsTimes: Bool) throws {
    root = Glibc.open(directory.description, ckernel_O_PATH | O_CLOEXEC)
    guard root >= 0 else { throw FileCallError("open", [directory], .current) }
    self.keepsTimes = keepsTimes
  }

  deinit {
    for descriptor in slots.values { Glibc.close(descriptor) }
    Glibc.close(root)
  }

  /// What a step answers, and what is then to be seen of what it was about.
  func perform(_ step: KernelStep) -> String {
    let numbers = step.actor.numbers
    if step.actor != .root && ckernel_become(numbers.user, numbers.group, numbers.furtherGroup) != 0 {
      return "cannot become \(step.actor): \(Errno.current.name)"
    }
    var answer = answer(step.call)
    if step.actor != .root { _ = ckernel_become_root() }
    for path in step.call.paths { answer += "; \(path): \(look(path, tells: step.call))" }
    if let slot = step.call.slot, let descriptor = slots[slot] {
      var status = stat()
      let text = fstat(descriptor, &status) == 0 ? text(status, tells: step.call) : Errno.current.name
      answer += "; slot \(slot): \(text)"
    }
    return answer
  }

  private func answer(_ call: KernelCall) -> String {
    switch call {
    case .open(let path, let flags, let mode, let slot):
      let opened = path.withName { openat(root, $0, flags | O_CLOEXEC, mode) }
      if opened < 0 { return Errno.current.name }
      if let old = slots.updateValue(opened, forKey: slot) { Glibc.close(old) }
      return "opened"
    case .close(let slot):
      guard let descriptor = slots.removeValue(forKey: slot) else { return "no slot" }
      return told(Glibc.close(descriptor))
    case .duplicate(let from, let to):
      return onSlot(from) { descriptor in
        let copy = dup(descriptor)
        if copy < 0 { return Errno.current.name }
        if let old = slots.updateValue(copy, forKey: to) { Glibc.close(old) }
        return "duplicated"
      }
    default: return slotAnswer(call) ?? nameAnswer(call) ?? attributeAnswer(call)
    }
  }

  private func slotAnswer(_ call: KernelCall) -> String? {
    switch call {
    case .read(let slot, let offset, let length):
      return onSlot(slot) { descriptor in
        var bytes = [UInt8](repeating: 0xEE, count: length)
        let count = pread(descriptor, &bytes, length, off_t(offset))
        return count < 0 ? Errno.current.name : "\(count) bytes \(checksum(bytes.prefix(count)))"
      }
    case .write(let slot, let offset, let length, let byte, let flags):
      return onSlot(slot) { descriptor in
        counted(ckernel_pwritev2(descriptor, pattern(length, byte), length, offset, flags))
      }
    case .writeHere(let slot, let length, let byte):
      return onSlot(slot) { descriptor in
        let count = counted(Glibc.write(descriptor, pattern(length, byte), length))
        return "\(count) then at \(lseek(descriptor, 0, SEEK_CUR))"
      }
    case .setAppending(let slot, let appends):
      return onSlot(slot) { descriptor in
        let flags = fcntl(descriptor, F_GETFL)
        return told(fcntl(descriptor, F_SETFL, appends ? flags | O_APPEND : flags & ~O_APPEND))
      }
    case .cut(let slot, let size): return onSlot(slot) { told(ftruncate($0, off_t(size))) }
    case .synchronize(let slot, let dataOnly): return onSlot(slot) { told(dataOnly ? fdatasync($0) : fsync($0)) }
    case .allocate(let slot, let mode, let offset, let length):
      return onSlot(slot) { told(ckernel_fallocate($0, mode, offset, length)) }
    case .seek(let slot, let offset, let toData):
      return onSlot(slot) { descriptor in
        // What a directory answers is different on every file system.
        var status = stat()
        if fstat(descriptor, &status) != 0 || status.st_mode & S_IFMT != S_IFREG { return "no file" }
        let place = lseek(descriptor, 0, SEEK_CUR)
        defer { lseek(descriptor, place, SEEK_SET) }
        return counted(lseek(descriptor, off_t(offset), toData ? ckernel_SEEK_DATA : ckernel_SEEK_HOLE))
      }
    case .copyRange(let from, let offset, let to, let toOffset, let length):
      return onSlot(from) { source in
        onSlot(to) { counted(ckernel_copy_file_range(source, offset, $0, toOffset, length)) }
      }
    case .writeMapped(let slot, let offset, let length, let byte):
      return onSlot(slot) { writeMapped($0, at: Int(offset), length: length, byte) }
    case .lock(let slot, let operation): return onSlot(slot) { told(ckernel_flock($0, operation)) }
    case .lockRange(let slot, let type, let offset, let length):
      return onSlot(slot) { told(ckernel_ofd_lock($0, type, offset, length)) }
    case .linkOpen(let slot, let path):
      return onSlot(slot) { descriptor in
        path.withName { name in
          told(linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", root, name, AT_SYMLINK_FOLLOW))
        }
      }
    case .changeModeOpen(let slot, let mode): return onSlot(slot) { told(fchmod($0, mode)) }
    default: return nil
    }
  }

  private func nameAnswer(_ call: KernelCall) -> String? {
    switch call {
    case .rename(let from, let to, let flags):
      return from.withName { from in to.withName { told(ckernel_renameat2(root, from, root, $0, flags)) } }
    case .link(let from, let to, let follows):
      return from.withName { from in
        to.withName { told(linkat(root, from, root, $0, follows ? AT_SYMLINK_FOLLOW : 0)) }
      }
    case .symlink(let text, let path):
      return text.withName { text in path.withName { told(symlinkat(text, root, $0)) } }
    case .readLink(let path):
      var bytes = [CChar](repeating: 0, count: 5000)
      let count = path.withName { readlinkat(root, $0, &bytes, bytes.count) }
      return count < 0 ? Errno.current.name : "\(BytePath(bytes: bytes.prefix(count).map { UInt8(bitPattern: $0) }))"
    case .unlink(let path): return path.withName { told(unlinkat(root, $0, 0)) }
    case .makeDirectory(let path, let mode): return path.withName { told(mkdirat(root, $0, mode)) }
    case .removeDirectory(let path): return path.withName { told(unlinkat(root, $0, AT_REMOVEDIR)) }
    case .makeNode(let path, let mode): return path.withName { told(mknodat(root, $0, mode, 0)) }
    case .list(let path): return list(path, whileChanging: false)
    case .listWhileChanging(let path): return list(path, whileChanging: true)
    case .status(let path): return look(path, tells: call)
    default: return nil
    }
  }

  private func attributeAnswer(_ call: KernelCall) -> String {
    switch call {
    case .cutPath(let path, let size):
      // Whether a cut to the size that it has is a change, file systems disagree about.
      var status = stat()
      let isKnown = fullPath(path).withName { stat($0, &status) } == 0
      if isKnown && status.st_mode & S_IFMT == S_IFREG && status.st_size == off_t(size) { return "has that size" }
      return fullPath(path).withName { told(truncate($0, off_t(size))) }
    case .changeMode(let path, let mode): return path.withName { told(fchmodat(root, $0, mode, 0)) }
    case .changeOwner(let path, let user, let group):
      return path.withName { told(fchownat(root, $0, user, group, AT_SYMLINK_NOFOLLOW)) }
    case .setTimes(let path, let accessed, let modified):
      let times = [accessed, modified].map(KernelSide.time)
      return path.withName { told(utimensat(root, $0, times, AT_SYMLINK_NOFOLLOW)) }
    case .access(let path, let wanted): return path.withName { told(faccessat(root, $0, wanted, 0)) }
    case .setAttribute(let path, let name, let length, let byte, let flags):
      return fullPath(path).withName { told(ckernel_setxattr($0, name, pattern(length, byte), length, flags)) }
    case .getAttribute(let path, let name, let size):
      var value = [UInt8](repeating: 0xEE, count: size + 1)
      let count = fullPath(path).withName { ckernel_getxattr($0, name, &value, size) }
      return count < 0 ? Errno.current.name : "\(count) bytes \(size == 0 ? "" : checksum(value.prefix(count)))"
    case .listAttributes(let path, let size):
      var list = [CChar](repeating: 0, count: size + 1)
      let count = fullPath(path).withName { ckernel_listxattr($0, &list, size) }
      if count < 0 { return Errno.current.name }
      let names = list.prefix(size == 0 ? 0 : count).split(separator: 0).map {
        String(decoding: $0.map(UInt8.init), as: UTF8.self)
      }
      return "\(count): \(names.sorted())"
    case .removeAttribute(let path, let name):
      return fullPath(path).withName { told(ckernel_removexattr($0, name)) }
    default: return "\(call) is done by nobody"
    }
  }

  /// Nil leaves a time as it is, -1 stands for now.
  private static func time(_ wished: Int64?) -> timespec {
    guard let wished else { return timespec(tv_sec: 0, tv_nsec: (1 << 30) - 2) }
    return wished < 0 ? timespec(tv_sec: 0, tv_nsec: (1 << 30) - 1) : timespec(tv_sec: Int(wished), tv_nsec: 5)
  }

  private func fullPath(_ path: BytePath) -> BytePath { BytePath("/proc/self/fd/\(root)").appending(path) }

  private func onSlot(_ slot: Int, _ body: (CInt) -> String) -> String { slots[slot].map(body) ?? "no slot" }

  private func told(_ result: CInt) -> String { result == 0 ? "done" : Errno.current.name }

  private func counted(_ result: some BinaryInteger) -> String { result < 0 ? Errno.current.name : "\(result)" }

  private func pattern(_ length: Int, _ byte: UInt8) -> [UInt8] {
    (0..<length).map { UInt8(truncatingIfNeeded: $0 / 7) &+ byte }
  }
}

/// A number that differs where bytes differ, most likely.
func checksum(_ bytes: some Sequence<UInt8>) -> String {
  String(bytes.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }, radix: 16)
}

extension BytePath {
  /// The path as C wants it; the directory itself for the empty one.
  func withName<Answer>(_ body: (UnsafePointer<CChar>) -> Answer) -> Answer {
    let text = (isRoot ? [UInt8(ascii: ".")] : bytes).map { CChar(bitPattern: $0) } + [0]
    return text.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { preconditionFailure("a name without its zero") }
      return body(start)
    }
  }
}

// MARK: - Looking

extension KernelSide {
  /// What stat(2) tells of a path, without following a link.
  func look(_ path: BytePath, tells call: KernelCall) -> String {
    var status = stat()
    guard path.withName({ fstatat(root, $0, &status, AT_SYMLINK_NOFOLLOW) }) == 0 else { return Errno.current.name }
    return text(status, tells: call)
  }

  /// Type, mode, links, size, owner, and which times have changed since they were last seen.
  private func text(_ status: stat, tells call: KernelCall) -> String {
    let kind = status.st_mode & S_IFMT
    var text = "0\(String(status.st_mode, radix: 8)) links \(status.st_nlink) owner \(status.st_uid):\(status.st_gid)"
    if kind != S_IFDIR { text += " size \(status.st_size)" }
    guard keepsTimes else { return text }
    let known = times.updateValue((status.st_mtim, status.st_ctim), forKey: status.st_ino)
    // What goes through a FIFO stays in the kernel, and no server of FUSE is told.
    if kind == S_IFIFO { return text }
    // A mapped write counts as a change when it is made on one file system, when it is written back on another.
    if case .writeMapped = call { return text }
    if status.st_atim.tv_sec < 1_600_000_000 { text += " accessed \(status.st_atim.tv_sec)" }
    if status.st_mtim.tv_sec < 1_600_000_000 { text += " modified \(status.st_mtim.tv_sec)" }
    if let known {
      if !known.modified.equals(status.st_mtim) { text += " m" }
      if !known.changed.equals(status.st_ctim) { text += " c" }
    }
    return text
  }

  private func list(_ path: BytePath, whileChanging: Bool) -> String {
    let opened = path.withName { openat(root, $0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard opened >= 0, let stream = fdopendir(opened) else { return Errno.current.name }
    defer { closedir(stream) }
    let extra = path.appending("zz-extra")
    var found: [String] = []
    func read() -> Bool {
      guard let entry = readdir(stream) else { return false }
      let kind = entry.pointee.d_type
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        BytePath(bytes: bytes.prefix { $0 != 0 })
      }
      if name != "zz-extra" { found.append("\(name) \(kind)") }
      return true
    }
    if whileChanging {
      _ = read()
      _ = extra.withName { mknodat(root, $0, S_IFREG | 0o600, 0) }
    }
    while read() {}
    if whileChanging {
      // From the beginning again: now the new name must be there, and after its removal it must not.
      rewinddir(stream)
      var names = 0
      while readdir(stream) != nil { names += 1 }
      _ = extra.withName { unlinkat(root, $0, 0) }
      rewinddir(stream)
      while readdir(stream) != nil { names -= 1 }
      found.append("\(names) more")
    }
    // By bytes: for `String`, one spelling of a name in Unicode is as good as another.
    return found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.joined(separator: ", ")
  }

  private func writeMapped(_ descriptor: CInt, at offset: Int, length: Int, _ byte: UInt8) -> String {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return Errno.current.name }
    let size = Int(status.st_size)
    guard size > 0, status.st_mode & S_IFMT == S_IFREG else { return "nothing to map" }
    guard let map = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), map != MAP_FAILED else {
      return Errno.current.name
    }
    defer { munmap(map, size) }
    let start = offset % size
    let count = min(length, size - start)
    for place in 0..<count { map.storeBytes(of: byte &+ UInt8(place & 1), toByteOffset: start + place, as: UInt8.self) }
    return "\(told(msync(map, size, CInt(MS_SYNC)))) \(count)"
  }

  /// Everything below the directory, one line each; what is one file under several names says so.
  func tree(listsAttributes: Bool) -> [String] {
    var lines: [String] = []
    var firstNames: [ino_t: BytePath] = [:]
    var waiting: [BytePath] = [.root]
    while let path = waiting.popLast() {
      var status = stat()
      guard path.withName({ fstatat(root, $0, &status, AT_SYMLINK_NOFOLLOW) }) == 0 else {
        lines.append("\(path): \(Errno.current.name)")
        continue
      }
      var line = "\(path): \(text(status, tells: .status(path)))"
      if status.st_mode & S_IFMT != S_IFDIR && status.st_nlink > 1 {
        line += " is \(firstNames[status.st_ino] ?? path)"
        firstNames[status.st_ino] = firstNames[status.st_ino] ?? path
      }
      switch status.st_mode & S_IFMT {
      case S_IFREG: line += " \(content(path))"
      case S_IFLNK: line += " -> \(nameAnswer(.readLink(path)) ?? "")"
      case S_IFDIR: waiting += names(path).sorted().map { path.appending($0) }
      default: break
      }
      if listsAttributes { line += " \(attributeAnswer(.listAttributes(path, size: 65_536)))" }
      lines.append(line)
    }
    return lines.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  private func names(_ path: BytePath) -> [BytePath] {
    let opened = path.withName { openat(root, $0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard opened >= 0, let stream = fdopendir(opened) else { return [] }
    defer { closedir(stream) }
    var names: [BytePath] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in BytePath(bytes: bytes.prefix { $0 != 0 }) }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }

  private func content(_ path: BytePath) -> String {
    let opened = path.withName { openat(root, $0, O_RDONLY | O_CLOEXEC) }
    guard opened >= 0 else { return Errno.current.name }
    defer { Glibc.close(opened) }
    var digest = ""
    var offset = 0
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = pread(opened, &bytes, bytes.count, off_t(offset))
      if count <= 0 { return count < 0 ? Errno.current.name : digest }
      digest = checksum(Array(digest.utf8) + bytes.prefix(count))
      offset += count
    }
  }
}

extension timespec {
  fileprivate func equals(_ other: timespec) -> Bool { tv_sec == other.tv_sec && tv_nsec == other.tv_nsec }
}
