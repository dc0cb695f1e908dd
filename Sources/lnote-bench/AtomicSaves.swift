import Files
import Glibc

/// The same file saved again and again as the store does: temporary file, write, fsync, rename, and the directory.
struct AtomicSaves {
  let bytes: Int
  let count: Int
  let syncsDirectory: Bool

  /// What one save took on average, in nanoseconds.
  struct Cost {
    let elapsed: Int64
    /// Of this process, in user and kernel mode; what the server of a mount spends is not in it.
    let processor: Int64

    /// The cost as one line: "elapsed 12345 processor 2345".
    var line: String { "elapsed \(elapsed) processor \(processor)" }

    /// What each of `count` repetitions costs that `work` does in one go.
    static func each(of count: Int, _ work: () throws(FileCallError) -> Void) throws(FileCallError) -> Cost {
      let elapsed = nanoseconds(CLOCK_MONOTONIC)
      let processor = nanoseconds(CLOCK_PROCESS_CPUTIME_ID)
      try work()
      return Cost(
        elapsed: (nanoseconds(CLOCK_MONOTONIC) - elapsed) / Int64(count),
        processor: (nanoseconds(CLOCK_PROCESS_CPUTIME_ID) - processor) / Int64(count))
    }

    private static func nanoseconds(_ clock: clockid_t) -> Int64 {
      var time = timespec()
      clock_gettime(clock, &time)
      return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
  }

  /// Saves in the volume's root.
  func run(in volume: any Volume) throws(FileCallError) -> Cost {
    let content = (0..<bytes).map { UInt8(truncatingIfNeeded: $0 &* 167) }
    let folder = try volume.open(.root, for: .directory)
    // Names and caches are warm before the clock starts.
    for _ in 0..<min(count, 3) { try save(content, in: folder, of: volume) }
    let cost = try Cost.each(of: count) { () throws(FileCallError) in
      for _ in 0..<count { try save(content, in: folder, of: volume) }
    }
    try volume.close(folder)
    return cost
  }

  private func save(_ content: [UInt8], in folder: OpenFile, of volume: any Volume) throws(FileCallError) {
    let temporary: BytePath = ".saved.0000002a.tmp"
    let file = try volume.open(temporary, for: .creating(permissions: 0o644))
    try volume.writeWhole(file, content)
    try volume.synchronize(file)
    try volume.close(file)
    try volume.rename(temporary, to: "saved")
    if syncsDirectory { try volume.synchronize(folder) }
  }
}
