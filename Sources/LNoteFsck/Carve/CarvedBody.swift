import LNoteFormat

/// One version of one page, as far as it was found.
struct CarvedBody {
  /// The page; nil where nothing tells it.
  var id: NoteID?
  var generation: UInt64
  var header: PageHeader?
  /// The whole page file, where it stands in one piece.
  var whole: CarveFindings.Page?
  /// The beginning of one that is not in one piece.
  var beginning: CarvePlace?
  /// The strokes and images that were found of it elsewhere.
  var frames: [CarveFindings.Frame] = []

  /// How many elements there are of it.
  var count: Int { whole.map { Int($0.header.elementCount) } ?? frames.count }

  /// The bodies that the findings are of, in the order in which they were found.
  static func all(in findings: CarveFindings) -> [CarvedBody] {
    var bodies: [CarvedBody] = []
    var places: [UInt32: Int] = [:]
    for page in findings.pages {
      let header = page.header
      let prefix = RawScan.prefix(ofPage: header.id, generation: header.generation)
      let place = places[prefix] ?? bodies.count
      if place == bodies.count {
        places[prefix] = place
        bodies.append(CarvedBody(id: header.id, generation: header.generation, header: header))
      }
      if page.isWhole { bodies[place].whole = bodies[place].whole ?? page }
      if !page.isWhole { bodies[place].beginning = bodies[place].beginning ?? page.place }
    }
    let others = groups(of: findings.frames)
    // A damaged document vouches for the pages that it still lists, as a whole one does.
    let entries = findings.documents.flatMap(\.pages) + findings.salvaged.flatMap(\.pages)
    for (prefix, frames) in others {
      if let place = places[prefix] {
        bodies[place].frames = frames
        continue
      }
      let told = identity(of: prefix, listedIn: entries)
      // A frame that nothing else vouches for is none: its bytes only look like one.
      guard told != nil || frames.count > 1 else { continue }
      bodies.append(CarvedBody(id: told?.id, generation: told?.generation ?? 1, frames: frames))
    }
    return bodies
  }

  /// The frames by the body that they say they are of, each once, in the order of the files.
  private static func groups(of frames: [CarveFindings.Frame]) -> [(UInt32, [CarveFindings.Frame])] {
    var groups: [UInt32: Int] = [:]
    var found: [(UInt32, [CarveFindings.Frame])] = []
    var seen: Set<[UInt64]> = []
    for frame in frames where seen.insert([UInt64(frame.prefix), frame.key]).inserted {
      if let place = groups[frame.prefix] {
        found[place].1.append(frame)
      } else {
        groups[frame.prefix] = found.count
        found.append((frame.prefix, [frame]))
      }
    }
    return found
  }

  // Of a document that was saved later than the page, or a page that was saved later than the document.
  private static let generationsAbove: UInt64 = 64

  /// The page of which a document tells that it can have such frames.
  private static func identity(
    of prefix: UInt32, listedIn entries: [PageEntry]
  ) -> (id: NoteID, generation: UInt64)? {
    for entry in entries {
      let generation = RawScan.generation(ofPage: entry.id, prefix: prefix)
      if generation > 0 && generation <= entry.generation + generationsAbove { return (entry.id, generation) }
    }
    return nil
  }
}
