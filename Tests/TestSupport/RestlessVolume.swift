import Files
import Synchronization

/// Another volume that somebody changes each time a page is being read.
package final class RestlessVolume: VolumeLayer {
  /// The volume itself.
  package let below: any Volume
  private let times: Int
  private let change: @Sendable (Int) throws -> Void
  private let state = Mutex<(changes: Int, pages: Set<OpenFile>)>((0, []))

  /// `change` gets the number of the change, from 1; there are at most `times`.
  package init(_ below: any Volume, times: Int, change: @escaping (Int) throws -> Void) {
    self.below = below
    self.times = times
    nonisolated(unsafe) let change = change
    self.change = { try change($0) }
  }

  /// How often it was changed.
  package var changes: Int { state.withLock { $0.changes } }

  /// Opens; a page is remembered.
  package func open(_ path: BytePath, for purpose: OpenPurpose) throws(FileCallError) -> OpenFile {
    let file = try below.open(path, for: purpose)
    if path.hasSuffix(".content") { state.withLock { _ = $0.pages.insert(file) } }
    return file
  }

  /// Closes.
  package func close(_ file: OpenFile) throws(FileCallError) {
    state.withLock { _ = $0.pages.remove(file) }
    try below.close(file)
  }

  /// Changes, then reads, where this is the beginning of a page.
  package func read(
    _ file: OpenFile, at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(FileCallError) -> Int {
    let number: Int? = state.withLock { state in
      guard offset == 0, state.pages.contains(file), state.changes < times else { return nil }
      state.changes += 1
      return state.changes
    }
    if let number { try? change(number) }
    return try below.read(file, at: offset, into: buffer)
  }
}
