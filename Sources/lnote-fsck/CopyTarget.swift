import Files
import Options

/// A folder that `--to` or `--render` names.
enum CopyTarget {
  /// The folder as a volume, made where it is missing; a usage error where it lies in what is to stay as it is.
  static func volume(_ word: Word, besides arguments: [Argument]) throws(UsageError) -> HostVolume {
    let (path, isInside) = try writing(word) { () throws(FileCallError) in
      let path = try Host.absolutePath(of: BytePath(bytes: word.bytes))
      let place = try place(of: path)
      for argument in arguments {
        for folder in try argument.folders() where place.isWithin(folder) { return (path, true) }
      }
      return (path, false)
    }
    if isInside {
      throw UsageError("\"\(word.text)\" lies in the folder that is to stay as it is: name one outside of it.")
    }
    return try writing(word) { () throws(FileCallError) in
      do throws(FileCallError) {
        try HostVolume(root: parent(of: path)).makeDirectory(path.name, permissions: 0o755)
      } catch {
        guard error.errno.name == "EEXIST" else { throw error }
      }
      return try HostVolume(root: path)
    }
  }

  private static func parent(of path: BytePath) -> BytePath { path.parent.isRoot ? "/" : path.parent }

  /// Where the folder is or will be, links resolved.
  private static func place(of path: BytePath) throws(FileCallError) -> BytePath {
    do throws(FileCallError) {
      return try Host.resolvedPath(of: path)
    } catch {
      guard error.errno.name == "ENOENT" else { throw error }
      return try Host.resolvedPath(of: parent(of: path)).appending(path.name)
    }
  }

  private static func writing<T>(
    _ word: Word, _ body: () throws(FileCallError) -> T
  ) throws(UsageError) -> T {
    do throws(FileCallError) {
      return try body()
    } catch {
      throw UsageError("nothing can be written to \"\(word.text)\": \(error.errno.description).")
    }
  }
}
