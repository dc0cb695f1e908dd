import Files
import LNoteFormat
import Rendering
import Terminal

extension RunReport {
  /// Why no page can be drawn here, in a sentence; nil where pages can.
  package static var drawingObstacle: String? {
    DrawingLibrary.obstacle.map { reason in
      "pages cannot be drawn here, for a library is missing (\(reason)). Install cairo, libcairo2 in Debian, and "
        + "run it again."
    }
  }

  /// Draws documents, one PDF file each, in this order, and notes what came of it.
  package mutating func draw(
    _ packages: [(volume: any Volume, package: BytePath)], to target: any Volume, named folder: String, now: Timestamp
  ) {
    var drawn: [DocumentDrawing] = []
    for (volume, package) in packages {
      do throws(DocumentDrawing.Failure) {
        drawn.append(try DocumentDrawing.draw(package, of: volume, to: target, now: now))
      } catch {
        switch error {
        // The document's own report says why.
        case .unreadable: break
        case .writing(let error):
          fail(Sentences.notDrawn(package, to: folder, FileCallFailure(error)), .operational)
          // What comes next would fail as well.
          if ["ENOSPC", "EDQUOT", "EROFS"].contains(error.errno.name) {
            drawings = drawn
            drawingsFolder = folder
            return
          }
        case .drawing(let reason): fail("\(package) was not drawn: \(reason).", .operational)
        }
      }
    }
    drawings = drawn
    drawingsFolder = folder
  }
}

extension Sentences {
  /// What a page says whose journal holds changes.
  static let journalNotDrawn = "Its newest changes are in its journal and not in this picture."

  /// The same of several pages at once.
  private static func notDrawn(_ pages: Int) -> [String] {
    [
      "Newest changes of \(Figures.counted(pages, "page")) are in journals and not in the pictures:",
      "open the document in the app and close it, then draw it again.",
    ]
  }

  static func notDrawn(_ package: BytePath, to folder: String, _ failure: FileCallFailure) -> String {
    let next = failure.errno.name == "ENOSPC" ? " Make room, or name another folder." : " Name another folder."
    return "\(package) was not drawn into \"\(folder)\": \(reason(failure)).\(next)"
  }

  static func drawn(_ drawings: [DocumentDrawing], to folder: String) -> [String] {
    let pages = drawings.reduce(0) { $0 + $1.pages }
    let unmerged = drawings.reduce(0) { $0 + $1.unmerged }
    let drawn =
      "Drawn: \(Figures.counted(drawings.count, "document")) with \(Figures.counted(pages, "page")) in \(folder)"
    return [drawn] + (unmerged == 0 ? [] : notDrawn(unmerged))
  }
}
