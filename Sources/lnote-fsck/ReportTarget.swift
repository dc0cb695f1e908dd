import Files
import LNoteFsck
import Options

/// The file that `--report` or `--save-plan` names.
struct ReportTarget {
  private let folder: HostVolume
  private let name: BytePath
  private let word: Word

  /// The place for the file; a usage error where something stands there, or it is in a document.
  init(_ word: Word) throws(UsageError) {
    self.word = word
    var isTaken = false
    var isInDocument = false
    do throws(FileCallError) {
      let path = try Host.absolutePath(of: BytePath(bytes: word.bytes))
      let parent = try Host.resolvedPath(of: path.parent.isRoot ? "/" : path.parent)
      isInDocument = parent.components.contains { $0.hasSuffix(".lnote") }
      folder = try HostVolume(root: parent)
      name = path.name
      isTaken = (try? folder.status(at: name)) != nil
    } catch {
      throw UsageError("nothing can be written to \"\(word.text)\": \(error.errno.description).")
    }
    if isInDocument { throw UsageError("\"\(word.text)\" lies in a document: name a file outside of it.") }
    if isTaken { throw UsageError("there is a \"\(word.text)\" already, and it stays: name another file.") }
  }

  /// The file's name as the user wrote it.
  var text: String { word.text }

  /// Writes the report; what keeps it from that becomes an error of the run, and false.
  @discardableResult
  func write(_ report: inout RunReport, _ bytes: [UInt8], what: String = "report") -> Bool {
    do throws(FileCallError) {
      let file = try NewFile(in: .root, of: folder)
      do throws(FileCallError) {
        try file.append(bytes)
      } catch {
        file.discard()
        throw error
      }
      _ = try file.finish(as: [name])
      return true
    } catch {
      report.fail(
        "the \(what) was not written to \"\(word.text)\": \(error.errno.description). Name another file.", .operational)
      return false
    }
  }
}
