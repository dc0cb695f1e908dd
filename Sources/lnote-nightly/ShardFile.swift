import Campaigns
import Files
import JSON
import Synchronization

/// The file of a shard while it is written: a line is whole or the last one, whatever ends the program.
final class ShardFile: Sendable {
  private let volume: HostVolume
  private let file: OpenFile
  private let name: String
  private let end: Mutex<UInt64>

  /// The file of a shard, made where it is not there; a torn last line of an earlier process is cut off.
  init(_ folder: RunFolder, _ shard: Shard, wholeBytes: Int) throws(Refusal) {
    name = "\(folder.name)/\(shard.fileName)"
    do throws(FileCallError) {
      volume = try HostVolume(root: folder.path)
      let path = BytePath(shard.fileName)
      if wholeBytes == 0 {
        try? volume.unlink(path)
        file = try volume.open(path, for: .creating(permissions: 0o644))
      } else {
        file = try volume.open(path, for: .writing)
        try volume.truncate(file, to: UInt64(wholeBytes))
      }
      end = Mutex(UInt64(wholeBytes))
    } catch {
      throw Refusal(4, "\(name): \(error.errno)")
    }
  }

  /// Appends a line.
  func append(_ line: ShardLog.Line) throws(Refusal) {
    let bytes = JSONLines.line(line.json)
    let failure = end.withLock { end -> FileCallError? in
      do throws(FileCallError) {
        try volume.writeWhole(file, at: end, bytes)
        end += UInt64(bytes.count)
        return nil
      } catch {
        // A line that was written in part would be behind the next one.
        try? volume.truncate(file, to: end)
        return error
      }
    }
    if let failure {
      throw Refusal(
        4, "\(name): \(failure.errno)\(failure.errno == .enospc ? " - make room, and run it again to go on" : "")")
    }
  }

  /// Makes everything durable and lets go of it.
  func finish() throws(Refusal) {
    do throws(FileCallError) {
      try volume.synchronize(file)
      try volume.close(file)
    } catch {
      throw Refusal(4, "\(name): \(error.errno)")
    }
  }
}
