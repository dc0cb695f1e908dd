import Files
import LNoteFormat
import Rendering
import Terminal

/// One document as a PDF file.
package struct DocumentDrawing: Sendable {
  /// The file's name in its folder.
  package let name: BytePath
  /// How many pages it has.
  package let pages: Int
  /// How many of them have changes in a journal, which are not in the picture.
  package let unmerged: Int

  /// Why a document was not drawn.
  package enum Failure: Error, Sendable {
    /// Nothing of the document can be read; its report says why.
    case unreadable
    /// The file could not be written.
    case writing(FileCallError)
    /// cairo gave up, in its words.
    case drawing(String)
  }

  /// Draws a package of `volume` into a new file at the root of `target`, named by the document's title.
  ///
  /// Every page is there, a damaged one with what can be read of it, and says what is missing. Nothing of the package
  /// is changed, and no file of the target is replaced.
  package static func draw(
    _ package: BytePath, of volume: any Volume, to target: any Volume, now: Timestamp,
    progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) throws(Failure) -> DocumentDrawing {
    guard let pages = PackagePages(package, in: volume, progress: progress) else { throw .unreadable }
    let output: NewFile
    do throws(FileCallError) { output = try NewFile(in: .root, of: target) } catch { throw .writing(error) }
    do throws(Failure) {
      try write(pages, to: output, time: (pages.modified ?? now).text)
    } catch {
      output.discard()
      throw error
    }
    let names = FileTitle.names(for: pages.title, otherwise: package.name.withoutEnding, ending: "pdf")
    do throws(FileCallError) {
      return DocumentDrawing(
        name: try output.finish(as: names), pages: max(pages.ids.count, 1),
        unmerged: pages.ids.count { pages.hasUnmergedJournal($0) })
    } catch {
      throw .writing(error)
    }
  }

  private static func write(_ pages: PackagePages, to output: NewFile, time: String) throws(Failure) {
    var failure: FileCallError?
    let file = PagesFile(title: pages.title.map { printable($0) }, created: time) { piece in
      do throws(FileCallError) {
        try output.append(piece)
        return true
      } catch {
        failure = error
        return false
      }
    }
    let scenes = pages.ids.lazy.map { pages.scene($0) }
    for scene in scenes where failure == nil { file.add(scene, assets: pages.asset) }
    if pages.ids.isEmpty { file.add(pages.emptyScene, assets: pages.asset) }
    do throws(PagesFile.Failure) {
      try file.finish()
    } catch {
      throw failure.map { .writing($0) } ?? .drawing(error.reason)
    }
  }
}

extension BytePath {
  /// The name as text without its ".lnote".
  fileprivate var withoutEnding: String {
    let text = FileTitle.safe("\(self)")
    return text.hasSuffix(".lnote") ? String(text.dropLast(6)) : text
  }
}
