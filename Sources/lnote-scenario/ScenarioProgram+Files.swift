import Files
import Options
import Terminal

extension ScenarioProgram {
  /// Writes a text to standard error as it is.
  static func warn(_ text: String) {
    do throws(OutputError) { try OutputStream.error.write(text) } catch {}
  }

  /// Writes a file whole, or leaves what is there; false, with a word of complaint, where that is not possible.
  ///
  /// A new file never takes the place of another; a changed one takes the place of the old only once it is on disk.
  static func write(_ bytes: [UInt8], to path: Word, isNew: Bool) -> Bool {
    do throws(FileCallError) {
      let absolute = try Host.absolutePath(of: BytePath(bytes: path.bytes))
      let folder = try HostVolume(root: absolute.folderOnHost)
      let temporary = BytePath(bytes: Array(".".utf8) + absolute.name.bytes + Array(".new".utf8))
      let file = try folder.open(isNew ? absolute.name : temporary, for: .creating(permissions: 0o644))
      do throws(FileCallError) {
        try folder.writeWhole(file, bytes)
        try folder.synchronize(file)
      } catch {
        try folder.close(file)
        if !isNew { try folder.unlink(temporary) }
        throw error
      }
      try folder.close(file)
      if !isNew { try folder.rename(temporary, to: absolute.name) }
      return true
    } catch {
      complain("\(printable(path.bytes)) could not be written: \(error.errno)")
      return false
    }
  }

  /// Writes a report over what is there; 0, or 4 with a word of complaint.
  static func writeReport(_ bytes: [UInt8], to path: Word) -> Int32 {
    do throws(FileCallError) {
      let absolute = try Host.absolutePath(of: BytePath(bytes: path.bytes))
      let folder = try HostVolume(root: absolute.folderOnHost)
      let file = try folder.open(absolute.name, for: .overwriting(permissions: 0o644))
      try folder.writeWhole(file, bytes)
      try folder.close(file)
      return 0
    } catch {
      complain("the report could not be written: \(error)")
      return 4
    }
  }

  /// Makes a folder where there is none; its parent has to be there.
  static func makeFolder(_ path: BytePath) -> Bool {
    do throws(FileCallError) {
      let absolute = try Host.absolutePath(of: path)
      do throws(FileCallError) {
        try HostVolume(root: absolute.folderOnHost).makeDirectory(absolute.name, permissions: 0o755)
      } catch {
        if error.errno != .eexist { throw error }
      }
      return true
    } catch {
      complain("\(printable(path.bytes)) could not be made: \(error.errno)")
      return false
    }
  }
}
