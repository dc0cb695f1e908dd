import Files
import LNoteFormat

/// Replaces files whole: a temporary file beside the target, written, synced and renamed over it.
///
/// A failed call leaves the target as it was and no temporary file; where even its removal fails, the name is kept in
/// mind and tried again before the next save. A file whose sync failed is never synced or renamed again.
final class SafeWriter {
  /// How many names are tried for a temporary file where one is taken.
  static let namesTriedMax = 8
  static let filePermissions: UInt16 = 0o644
  static let directoryPermissions: UInt16 = 0o755

  let volume: any Volume
  let durability: Durability
  let mutant: StoreMutant?
  private var numbers: TemporaryNumbers
  private var abandoned: [Leftover] = []

  init(volume: any Volume, durability: Durability, mutant: StoreMutant?, seed: UInt64) {
    self.volume = volume
    self.durability = durability
    self.mutant = mutant
    numbers = TemporaryNumbers(seed: seed)
  }

  /// Writes a file beside its target, synced where the policy says so.
  func stage(_ bytes: [UInt8], for target: BytePath, synced: Bool = true) throws(FileCallError) -> StagedFile {
    let (file, temporary) = try openBeside(target)
    let staged = StagedFile(temporary: temporary, target: target)
    do throws(FileCallError) {
      // SEEDED BUG synced-after-rename: see `commit`.
      try finish(file, bytes, synced: synced && mutant != .syncedAfterRename)
    } catch {
      discard(staged)
      throw error.about(temporary)
    }
    return staged
  }

  /// Writes a file in a directory that nobody sees yet; it is gone again where this throws.
  func makeFile(_ bytes: [UInt8], at path: BytePath) throws(FileCallError) {
    let file = try volume.open(path, for: .creating(permissions: SafeWriter.filePermissions))
    do throws(FileCallError) {
      try finish(file, bytes, synced: true)
    } catch {
      remove(Leftover(path: path, isDirectory: false))
      throw error.about(path)
    }
  }

  /// Puts a staged file in its target's place.
  func commit(_ staged: StagedFile) throws(FileCallError) {
    if staged.isInPlace { return }
    do throws(FileCallError) {
      if mutant == .replaceItem, (try? volume.status(at: staged.target)) != nil {
        // SEEDED BUG replace-item: the old file goes over the new one.
        return try volume.rename(staged.target, to: staged.temporary)
      }
      if mutant == .renameAwayFirst, (try? volume.status(at: staged.target)) != nil {
        // SEEDED BUG rename-away-first: between two renames there is no file of this name.
        let aside = temporaryName(for: staged.target)
        try volume.rename(staged.target, to: aside)
        try volume.rename(staged.temporary, to: staged.target)
        return try volume.unlink(aside)
      }
      try volume.rename(staged.temporary, to: staged.target)
      if mutant == .syncedAfterRename { try synchronizeInPlace(staged.target) }
    } catch {
      discard(staged)
      throw error
    }
  }

  /// Removes a staged file that shall not be committed.
  func discard(_ staged: StagedFile) {
    // SEEDED BUG temporary-left-behind: each failed save leaves another file.
    if mutant == .temporaryLeftBehind { return }
    if !staged.isInPlace { remove(Leftover(path: staged.temporary, isDirectory: false)) }
  }

  /// Makes the names in a directory durable, where the policy says so.
  func synchronizeDirectory(_ path: BytePath) throws(FileCallError) {
    // SEEDED BUG directory-not-synced: told as durable, although no name is.
    guard durability == .full, mutant != .directoryNotSynced else { return }
    let directory = try volume.open(path, for: .directory)
    do throws(FileCallError) {
      try volume.synchronize(directory)
    } catch {
      try? volume.close(directory)
      throw error.about(path)
    }
    try volume.close(directory)
  }

  /// Removes something now, or keeps it in mind where that fails.
  func remove(_ leftover: Leftover) {
    do throws(FileCallError) {
      if leftover.isDirectory {
        try volume.removeDirectory(leftover.path)
      } else {
        try volume.unlink(leftover.path)
      }
    } catch {
      if error.errno != .enoent { abandoned.append(leftover) }
    }
  }

  /// Tries again to remove what could not be removed before.
  func removeAbandoned() {
    let waiting = abandoned
    abandoned = []
    for leftover in waiting { remove(leftover) }
  }

  /// A name beside the target that no reader takes for the target.
  func temporaryName(for target: BytePath) -> BytePath {
    let digits = Array(String(numbers.next(), radix: 16).utf8)
    let name = Array(".".utf8) + target.name.bytes + Array(".".utf8)
    let zeros = [UInt8](repeating: UInt8(ascii: "0"), count: 8 - digits.count)
    return target.parent.appending(BytePath(bytes: name + zeros + digits + Array(".tmp".utf8)))
  }

  private func openBeside(_ target: BytePath) throws(FileCallError) -> (OpenFile, BytePath) {
    if mutant == .overwriteInPlace {
      // SEEDED BUG overwrite-in-place: no temporary file; the real one is cut to nothing first.
      return (try volume.open(target, for: .overwriting(permissions: SafeWriter.filePermissions)), target)
    }
    if mutant == .temporaryNameShared {
      // SEEDED BUG temporary-name-shared: what waits under this name for its rename is cut to nothing.
      let shared = target.parent.appending(".saving.tmp")
      return (try volume.open(shared, for: .overwriting(permissions: SafeWriter.filePermissions)), shared)
    }
    var tries = 1
    while true {
      let temporary = temporaryName(for: target)
      do throws(FileCallError) {
        return (try volume.open(temporary, for: .creating(permissions: SafeWriter.filePermissions)), temporary)
      } catch {
        guard error.errno == .eexist, tries < SafeWriter.namesTriedMax else { throw error }
        tries += 1
      }
    }
  }

  /// Writes, syncs where the policy says so, and closes, also where something fails.
  private func finish(_ file: OpenFile, _ bytes: [UInt8], synced: Bool) throws(FileCallError) {
    do throws(FileCallError) {
      try write(bytes, to: file)
      if synced, durability != .none { try synchronizeFile(file) }
    } catch {
      try? volume.close(file)
      throw error
    }
    try volume.close(file)
  }

  private func write(_ bytes: [UInt8], to file: OpenFile) throws(FileCallError) {
    guard mutant == .shortWriteBelieved else { return try volume.writeWhole(file, bytes) }
    // SEEDED BUG short-write-believed: nobody looks at how many bytes were taken.
    let outcome = bytes.withUnsafeBytes { all in
      Result { () throws(FileCallError) in try volume.write(file, at: 0, all) }
    }
    _ = try outcome.get()
  }

  /// SEEDED BUG synced-after-rename: until this is done a crash may leave an empty file under the name.
  private func synchronizeInPlace(_ target: BytePath) throws(FileCallError) {
    let file = try volume.open(target, for: .reading)
    defer { try? volume.close(file) }
    if durability != .none { try volume.synchronize(file) }
  }

  private func synchronizeFile(_ file: OpenFile) throws(FileCallError) {
    do throws(FileCallError) {
      try volume.synchronize(file)
    } catch {
      // SEEDED BUG retry-fsync: the second sync says success, for data that the kernel has dropped.
      if mutant == .retryFsync { return try volume.synchronize(file) }
      // SEEDED BUG sync-error-ignored: the save goes on with what may be nowhere.
      if mutant == .syncErrorIgnored { return }
      throw error
    }
  }
}

/// A file that is written and not yet in its place.
struct StagedFile: Hashable {
  let temporary: BytePath
  let target: BytePath

  /// True where a seeded bug wrote into the target itself.
  var isInPlace: Bool { temporary == target }
}

/// Something of ours that has to go.
struct Leftover: Hashable {
  let path: BytePath
  let isDirectory: Bool
}

/// The numbers in the names of temporary files: SplitMix64, so a seed always gives the same names.
struct TemporaryNumbers {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt32 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return UInt32(truncatingIfNeeded: (mixed ^ mixed >> 31) >> 32)
  }
}

extension FileCallError {
  /// The same error with the path of the open file, which the call itself did not know.
  fileprivate func about(_ path: BytePath) -> FileCallError {
    paths.isEmpty ? FileCallError(call, [path], errno) : self
  }
}
