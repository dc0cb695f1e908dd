import FaultDisk
import FileTracing
import Files

/// A recording disk that makes the calls of a workload, some of which no `Volume` has.
struct Workbench {
  let disk = FaultDisk()
  private let caller = Caller(thread: 1, user: 0, group: 0)

  /// The records of each step, by its place in `steps`.
  private(set) var ends: [UInt64] = []

  /// Runs a whole workload; the set-up is durable and not recorded.
  static func run(_ workload: RealWorkload) throws -> Workbench {
    var bench = Workbench()
    for call in workload.setUp { try bench.make(call) }
    bench.disk.beginRecording()
    for step in workload.steps {
      for call in step.calls { try bench.make(call) }
      bench.ends.append(bench.lastRecord)
    }
    return bench
  }

  /// Runs calls behind each other on a disk where `setUp` is durable.
  static func recording(
    _ setUp: [WorkloadCall], _ calls: [WorkloadCall]
  ) throws -> (disk: FaultDisk, recording: Recording) {
    var bench = Workbench()
    for call in setUp { try bench.make(call) }
    bench.disk.beginRecording()
    for call in calls { try bench.make(call) }
    guard let recording = bench.disk.recording else { throw Errno.einval }
    return (bench.disk, recording)
  }

  var lastRecord: UInt64 { disk.log.records.last?.number ?? 0 }

  mutating func make(_ call: WorkloadCall) throws {
    let caller = caller
    try disk.withEngine { (engine: inout DiskEngine) throws -> Void in
      switch call {
      case .put(let path, let letter, let count):
        if engine.find(path, caller) != nil {
          try engine.resize(path, to: 0, caller)
        } else {
          try engine.make(path, caller)
        }
        try engine.put(letter, count, at: 0, path, caller)
      case .write(let path, let offset, let letter, let count, let pieces):
        for piece in 0..<pieces {
          try engine.put(letter, count / pieces, at: offset + piece * (count / pieces), path, caller)
        }
      case .append(let path, let letter, let count, let times):
        for _ in 0..<times { try engine.put(letter, count, at: engine.size(of: path, caller), path, caller) }
      case .synchronousWrite(let path, let offset, let letter, let count, let dataOnly):
        try engine.put(letter, count, at: offset, path, caller)
        let range = UInt64(offset)..<UInt64(offset + count)
        try engine.synchronize(path, as: .write(range, dataOnly: dataOnly), caller)
      case .fsync(let path): try engine.synchronize(path, as: .fsync, caller)
      case .fdatasync(let path): try engine.synchronize(path, as: .fdatasync, caller)
      case .syncfs: try engine.synchronizeAll(caller)
      case .rename(let from, let to): try engine.rename(from, to, .replacing, caller)
      case .exchange(let from, let to): try engine.rename(from, to, .exchanging, caller)
      case .link(let from, let to):
        _ = try engine.link(engine.number(from, caller), as: to.name, in: engine.number(to.parent, caller), caller)
      case .unlink(let path): try engine.unlink(path.name, in: engine.number(path.parent, caller), caller)
      case .mkdir(let path):
        _ = try engine.makeDirectory(
          path.name, in: engine.number(path.parent, caller), permissions: 0o755, caller)
      case .rmdir(let path): try engine.removeDirectory(path.name, in: engine.number(path.parent, caller), caller)
      case .symlink(let text, let path):
        _ = try engine.makeSymbolicLink(path.name, in: engine.number(path.parent, caller), text: text, caller)
      case .truncate(let path, let size): try engine.resize(path, to: size, caller)
      case .reserve(let path, let size):
        try engine.onHandle(path, caller) { (engine, handle) throws in
          try engine.allocate(
            handle, offset: 0, length: UInt64(size), AllocationWish(.reserve, keepsSize: false), caller)
        }
      case .zero(let path, let range):
        try engine.onHandle(path, caller) { (engine, handle) throws in
          try engine.allocate(
            handle, offset: range.lowerBound, length: range.upperBound - range.lowerBound,
            AllocationWish(.zero, keepsSize: false), caller)
        }
      case .create(let path): try engine.make(path, caller)
      }
    }
  }
}

extension DiskEngine {
  fileprivate mutating func find(_ path: BytePath, _ caller: Caller) -> UInt64? {
    var place = rootInode
    for name in path.components {
      guard let next = try? lookup(name, in: place, caller).number else { return nil }
      place = next
    }
    return place
  }

  fileprivate mutating func number(_ path: BytePath, _ caller: Caller) throws -> UInt64 {
    guard let number = find(path, caller) else { throw Errno.enoent }
    return number
  }

  fileprivate mutating func make(_ path: BytePath, _ caller: Caller) throws {
    let access = FileAccess(reads: true, writes: true)
    let made = try create(path.name, in: number(path.parent, caller), permissions: 0o644, access: access, caller)
    release(made.handle)
  }

  fileprivate mutating func size(of path: BytePath, _ caller: Caller) throws -> Int {
    Int(try attributes(of: number(path, caller)).size)
  }

  fileprivate mutating func resize(_ path: BytePath, to size: Int, _ caller: Caller) throws {
    _ = try setAttributes(of: number(path, caller), AttributeChange(size: UInt64(size)), caller)
  }

  fileprivate mutating func rename(
    _ from: BytePath, _ to: BytePath, _ mode: RenameMode, _ caller: Caller
  ) throws {
    try rename(
      from.name, in: number(from.parent, caller), to: to.name, in: number(to.parent, caller), mode: mode, caller)
  }

  fileprivate mutating func synchronize(
    _ path: BytePath, as call: SynchronizingCall, _ caller: Caller
  ) throws {
    try onHandle(path, caller) { (engine, handle) throws in try engine.synchronize(handle, as: call, caller) }
  }

  fileprivate mutating func put(
    _ letter: UInt8, _ count: Int, at offset: Int, _ path: BytePath, _ caller: Caller
  ) throws {
    let bytes = [UInt8](repeating: letter, count: count)
    try onHandle(path, caller) { (engine, handle) throws in
      try bytes.withUnsafeBytes { bytes in
        _ = try engine.write(handle, at: UInt64(offset), bytes, caller)
      }
    }
  }

  fileprivate mutating func onHandle(
    _ path: BytePath, _ caller: Caller, _ body: (inout DiskEngine, UInt64) throws -> Void
  ) throws {
    let inode = try number(path, caller)
    let isDirectory = try attributes(of: inode).kind == .directory
    let handle =
      try isDirectory
      ? openDirectory(inode, caller) : open(inode, access: FileAccess(reads: true, writes: true), caller)
    defer { release(handle) }
    try body(&self, handle)
  }
}
