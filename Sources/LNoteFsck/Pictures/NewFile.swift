import Files
import Glibc

/// A new file that appears under its name when it is whole, and never in the place of another one.
package final class NewFile {
  private let volume: any Volume
  private let temporary: BytePath
  private let file: OpenFile
  private var size: UInt64 = 0

  /// Begins a file in a folder of the volume; until it is finished it has a name that begins with a dot.
  package init(in folder: BytePath, of volume: any Volume) throws(FileCallError) {
    self.volume = volume
    var number = 0
    while true {
      let path = folder.appending(BytePath(".lnote-fsck.\(number).tmp"))
      do throws(FileCallError) {
        file = try volume.open(path, for: .creating(permissions: 0o644))
        temporary = path
        return
      } catch {
        number += 1
        if error.errno.name != "EEXIST" || number == NewFile.namesMax { throw error }
      }
    }
  }

  /// How many names are tried where they are taken.
  static let namesMax = 10_000

  /// Appends bytes.
  package func append(_ bytes: UnsafeRawBufferPointer) throws(FileCallError) {
    var done = 0
    while done < bytes.count {
      done += try volume.write(file, at: size + UInt64(done), UnsafeRawBufferPointer(rebasing: bytes[done...]))
    }
    size += UInt64(bytes.count)
  }

  /// Appends bytes.
  package func append(_ bytes: [UInt8]) throws(FileCallError) {
    try volume.writeWhole(file, at: size, bytes)
    size += UInt64(bytes.count)
  }

  /// Gives the file the first of the names that is free, and says which.
  ///
  /// Nothing is left of it where this throws; EEXIST where none is free.
  package func finish(as names: some Sequence<BytePath>) throws(FileCallError) -> BytePath {
    do throws(FileCallError) {
      try volume.synchronize(file)
    } catch {
      discard()
      throw error
    }
    try? volume.close(file)
    var failure = FileCallError("renameat2", [temporary], Errno(rawValue: EEXIST))
    for name in names {
      let path = temporary.parent.appending(name)
      do throws(FileCallError) {
        try volume.renameKeeping(temporary, to: path)
        return path
      } catch {
        failure = error
        if error.errno.name != "EEXIST" { break }
      }
    }
    try? volume.unlink(temporary)
    throw failure
  }

  /// Ends it without a trace.
  package func discard() {
    try? volume.close(file)
    try? volume.unlink(temporary)
  }
}
