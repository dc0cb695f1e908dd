import Files
import Glibc
import Synchronization

/// The processes that a rule has killed and that are not quite dead yet.
///
/// A killed thread goes on inside the kernel until it gets back to its program: the next piece of one large write(2),
/// the writes of its other threads, the closing of its files. Whether one of those still gets through would be luck, so
/// nothing of a killed process is answered any more.
final class KilledProcesses: Sendable {
  private let processes = Mutex<Set<Int32>>([])

  /// Kills the process of a thread with SIGKILL; nothing happens where there is none, or where we are it.
  func kill(processOf thread: Int32) {
    guard thread > 0, let process = ProcessFile.process(of: thread), process != getpid() else { return }
    processes.withLock { _ = $0.insert(process) }
    _ = Glibc.kill(process, SIGKILL)
  }

  /// True where this thread belongs to a process that was killed.
  func contain(processOf thread: Int32) -> Bool {
    processes.withLock { processes in
      if processes.isEmpty { return false }
      processes = processes.filter { !ProcessFile.isGone($0) }
      guard !processes.isEmpty, let process = ProcessFile.process(of: thread) else { return false }
      return processes.contains(process)
    }
  }
}

/// What /proc says of processes and their threads.
enum ProcessFile {
  /// Far more than the kernel writes there.
  private static let fileBytesMax = 64 << 10

  /// The process that a thread belongs to; nil where there is no such thread.
  static func process(of thread: Int32) -> Int32? {
    guard let text = read("\(thread)/status") else { return nil }
    let lines = text.split(separator: UInt8(ascii: "\n"))
    guard let line = lines.first(where: { $0.starts(with: "Tgid:".utf8) }) else { return nil }
    return Int32(String(decoding: line.dropFirst("Tgid:".utf8.count).filter { $0 > 0x20 }, as: UTF8.self))
  }

  /// The further groups of a thread's user; none where there is no such thread.
  static func furtherGroups(of thread: Int32) -> [UInt32] {
    guard let text = read("\(thread)/status") else { return [] }
    let lines = text.split(separator: UInt8(ascii: "\n"))
    guard let line = lines.first(where: { $0.starts(with: "Groups:".utf8) }) else { return [] }
    return line.dropFirst("Groups:".utf8.count).split { $0 <= 0x20 }.compactMap {
      UInt32(String(decoding: $0, as: UTF8.self))
    }
  }

  /// True where a process and all its threads have ended, also where its parent has not asked after it.
  static func isGone(_ process: Int32) -> Bool {
    if kill(process, 0) != 0 && errno == ESRCH { return true }
    return read("\(process)/stat").map(isGone(statLine:)) ?? false
  }

  /// What "4711 (name) S 1 …" says: state Z or X, with no thread but the first. The name may hold anything, so the
  /// fields are those behind the last parenthesis.
  static func isGone(statLine line: [UInt8]) -> Bool {
    guard let parenthesis = line.lastIndex(of: UInt8(ascii: ")")) else { return false }
    let fields = line[parenthesis...].dropFirst().split(separator: UInt8(ascii: " "))
    guard fields.count > threadCountField else { return false }
    let state = String(decoding: fields[0], as: UTF8.self)
    let threadCount = Int(String(decoding: fields[threadCountField], as: UTF8.self)) ?? 0
    return (state == "Z" || state == "X") && threadCount <= 1
  }

  /// Where num_threads stands behind the parenthesis, the state being 0; proc(5) counts it as the 20th of all.
  private static let threadCountField = 17

  /// The process that a process belongs to as a child; nil where there is no such process.
  static func parent(of process: Int32) -> Int32? { read("\(process)/stat").flatMap(parent(statLine:)) }

  /// What "4711 (name) S 1 …" says of the parent.
  static func parent(statLine line: [UInt8]) -> Int32? {
    guard let parenthesis = line.lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let fields = line[parenthesis...].dropFirst().split(separator: UInt8(ascii: " "))
    return fields.count > 1 ? Int32(String(decoding: fields[1], as: UTF8.self)) : nil
  }

  /// The system call that a thread is in, as a line "264 0xffffff9c 0x7ffe… …": its number, its arguments, where it
  /// came from. Nil where it is in none, or /proc does not tell us.
  static func systemCall(of thread: Int32) -> [UInt8]? { read("\(thread)/syscall") }

  /// The text at an address of a thread's memory, up to its zero byte; nil where there is none or we may not look.
  static func text(at address: UInt64, of thread: Int32) -> [UInt8]? {
    guard let volume = try? HostVolume(root: "/proc"),
      let memory = try? volume.open(BytePath("\(thread)/mem"), for: .reading)
    else { return nil }
    defer { try? volume.close(memory) }
    var bytes = [UInt8](repeating: 1, count: 4096)
    guard let taken = try? bytes.withUnsafeMutableBytes({ try volume.read(memory, at: address, into: $0) }),
      let end = bytes[..<taken].firstIndex(of: 0)
    else { return nil }
    return Array(bytes[..<end])
  }

  /// The rights of this process as bits by number of capability; nil where /proc does not say.
  static var effectiveCapabilities: UInt64? {
    let lines = read("\(getpid())/status")?.split(separator: UInt8(ascii: "\n")) ?? []
    guard let line = lines.first(where: { $0.starts(with: "CapEff:".utf8) }) else { return nil }
    return UInt64(
      String(decoding: line.dropFirst("CapEff:".utf8.count).filter { $0 > 0x20 }, as: UTF8.self), radix: 16)
  }

  /// The memory of this process that is in use, in bytes; 0 where /proc does not say.
  static var residentBytes: UInt64 {
    let fields = read("\(getpid())/statm")?.split(separator: UInt8(ascii: " ")) ?? []
    guard fields.count > 1, let pages = UInt64(String(decoding: fields[1], as: UTF8.self)) else { return 0 }
    return pages * UInt64(sysconf(CInt(_SC_PAGESIZE)))
  }

  private static func read(_ path: String) -> [UInt8]? {
    guard let volume = try? HostVolume(root: "/proc") else { return nil }
    return try? volume.readWhole(BytePath(path), sizeMax: fileBytesMax)
  }
}
