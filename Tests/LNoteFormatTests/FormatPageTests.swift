import Files
import TestSupport
import Testing

@testable import LNoteFormat

/// The layout tables of Docs/reference/format.md: without gaps, and as long as the codec's structures.
@Suite struct FormatPageTests {
  private struct Row { let offset: Int, size: Int? }

  /// The tables whose first column is an offset, in the order of the page.
  private func layouts() throws -> [[Row]] {
    let page = try HostVolume(root: repositoryRoot).readWhole("Docs/reference/format.md", sizeMax: 1 << 20)
    var tables: [[Row]] = []
    var isLayout = false
    for line in String(decoding: page, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false) {
      let cells = line.split(separator: "|").map { $0.trimmed }
      if line.hasPrefix("| offset | size |") {
        tables.append([])
        isLayout = true
      } else if !line.hasPrefix("|") {
        isLayout = false
      } else if isLayout, let offset = Int(cells[0]) {
        tables[tables.count - 1].append(Row(offset: offset, size: Int(cells[1])))
      }
    }
    return tables
  }

  @Test func tablesAreWithoutGapsAndAsLongAsTheCodecSays() throws {
    let tables = try layouts()
    let lengths = [
      PageLimits.headerBytes, PageLimits.framePrefixBytes, PageLimits.strokeBytes, PageLimits.sampleBytes,
      PageLimits.imageBytes, PageLimits.journalHeaderBytes, PageLimits.replacementPrefixBytes,
    ]
    #expect(tables.count == lengths.count)
    for (table, length) in zip(tables, lengths) {
      var end = 0
      for row in table {
        #expect(row.offset == end)
        // The last row of frame and stroke is what follows: of no fixed size.
        guard let size = row.size else { continue }
        end = row.offset + size
      }
      #expect(end == length)
    }
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    let start = drop { $0 == " " }
    return start[..<(start.lastIndex { $0 != " " }.map { start.index(after: $0) } ?? start.startIndex)]
  }
}
