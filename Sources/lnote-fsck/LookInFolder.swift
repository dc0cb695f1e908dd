import Files
import LNoteFsck
import Options

/// A folder that `--look-in` names.
enum LookInFolder {
  /// The folder, which is only read; a usage error where there is none.
  static func open(_ word: Word) throws(UsageError) -> LookIn {
    do throws(FileCallError) {
      let folder = try HostVolume(root: BytePath(bytes: word.bytes))
      _ = try folder.entries(of: .root, countMax: SurveyLimits.namesMax)
      let text = word.text.reversed().drop { $0 == "/" }.reversed()
      return LookIn(volume: folder, shown: String(text))
    } catch {
      let reason = error.errno.name == "ENOTDIR" ? "it is no folder. Unpack an archive first" : error.errno.description
      throw UsageError("nothing can be looked for in \"\(word.text)\": \(reason).")
    }
  }
}
