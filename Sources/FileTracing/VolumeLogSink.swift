import Files
import Synchronization

/// The file form of a log in a file of a volume, which must not be the traced disk itself.
package final class VolumeLogSink: OperationLogSink {
  /// Pieces up to this size are put together, so that a record of a small write is one call.
  private static let joinedBytesMax = 64 << 10

  private let volume: any Volume
  private let file: OpenFile
  private let state = Mutex<(end: UInt64, failure: FileCallError?)>((0, nil))

  /// Makes the file, which must not exist; the header is the first thing to be written.
  package init(volume: any Volume, path: BytePath) throws(FileCallError) {
    self.volume = volume
    file = try volume.open(path, for: .creating(permissions: 0o600))
  }

  /// The first error of writing; nothing is written behind it.
  package var failure: FileCallError? { state.withLock { $0.failure } }

  /// How long the file is, in bytes.
  package var size: UInt64 { state.withLock { $0.end } }

  /// Writes the pieces at the end; after the first error it does nothing any more.
  package func append(_ pieces: [UnsafeRawBufferPointer]) {
    let count = pieces.reduce(0) { $0 + $1.count }
    if count <= VolumeLogSink.joinedBytesMax {
      var joined: [UInt8] = []
      joined.reserveCapacity(count)
      for piece in pieces { joined.append(contentsOf: piece) }
      joined.withUnsafeBytes(write)
    } else {
      for piece in pieces { write(piece) }
    }
  }

  /// Syncs and closes the file.
  package func close() throws(FileCallError) {
    try volume.synchronize(file)
    try volume.close(file)
  }

  private func write(_ bytes: UnsafeRawBufferPointer) {
    state.withLock { state in
      var done = 0
      do throws(FileCallError) {
        while done < bytes.count && state.failure == nil {
          done += try volume.write(file, at: state.end + UInt64(done), UnsafeRawBufferPointer(rebasing: bytes[done...]))
        }
      } catch {
        state.failure = error
      }
      state.end += UInt64(done)
    }
  }
}
