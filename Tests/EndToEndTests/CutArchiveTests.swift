import Files
import JSON
import LNoteFormat
import Processes
import TestSupport
import Testing

/// The whole way of a bad ZIP: looked at, repaired into a folder, and every number of the report counted again.
@Suite(.serialized) struct CutArchiveTests {
  @Test func aCutZIPOfFortyDocumentsIsSavedAsFarAsItIsHere() throws {
    let library = try CutLibrary()
    let workshop = library.workshop
    let zip = try workshop.volume().bytes(of: "Notes.zip")
    let looked = try workshop.run("lnote-fsck", ["Notes.zip"])
    #expect(looked.ending == .exited(12), "\(looked.outputText)\(looked.errorText)")
    #expect(Self.words(looked).contains("lnote-fsck -y --as-is --to REPAIRED Notes.zip"))
    let refused = try workshop.run("lnote-fsck", ["-y", "Notes.zip"])
    #expect(refused.ending == .exited(16))
    #expect(Self.words(refused).contains("lnote-fsck -y --to REPAIRED Notes.zip"), "\(refused.outputText)")

    let result = try workshop.run("lnote-fsck", ["-y", "--as-is", "--to", "Repaired", "Notes.zip"])
    #expect(result.ending == .exited(13), "\(result.outputText)\(result.errorText)")
    let text = Self.words(result)
    let truncatedPage = library.pages[CutLibrary.truncated - 1][1]
    let first = library.kept(of: truncatedPage, bytes: truncatedPage.encoded().count - CutLibrary.bytesLost)
    let second = library.kept(of: library.pages[CutLibrary.cut - 1][1], bytes: library.bytesUnpacked)
    let lost = [first, second].reduce(0) { $0 + 30 - $1.strokes - ($1.points > 0 ? 1 : 0) }
    for sentence in [
      "The archive is cut off or damaged: behind \(library.wholeEntries) whole entries it cannot be read on.",
      "Of \(library.cutPath) the first \(Self.grouped(library.bytesUnpacked)) of \(Self.grouped(library.cutSize)) bytes "
        + "are there.",
      "2 of 3 pages are in iCloud, not on this disk: pages 2 and 3. The other page is whole.",
      Self.salvaged(first), Self.salvaged(second),
      "Page 3 of 3 is missing: its file is not there.",
      "21 documents: 18 without problems, 1 not checked completely, 2 repaired. "
        + "\(lost) strokes or images are lost for now. 21 copies of them are in Repaired; what was copied was not changed.",
    ] {
      #expect(text.contains(sentence), "\(sentence)\n\(result.outputText)")
    }
    try Self.checkCopy(
      library, first.strokes + (first.points > 0 ? 1 : 0), second.strokes + (second.points > 0 ? 1 : 0))
    #expect(try workshop.volume().bytes(of: "Notes.zip") == zip)
    #expect(try workshop.leftBehind() == [])
    // The copy says the same of itself, and a second repair has nothing to do.
    let again = try workshop.run("lnote-fsck", ["Repaired"])
    #expect(again.ending == .exited(12), "\(again.outputText)")
    #expect(Self.words(again).contains("2 of 3 pages are in iCloud"))
  }

  /// The copy against the generator: every page that was in front of the cut is there with every element.
  private static func checkCopy(_ library: CutLibrary, _ truncated: Int, _ cut: Int) throws {
    var expected: [String: [String: Int]] = [:]
    for number in 1...CutLibrary.cut {
      var counts = Dictionary(
        uniqueKeysWithValues: library.pages[number - 1].map { ("\($0.id)", $0.elements.count) })
      let ids = library.pages[number - 1].map { "\($0.id)" }
      switch number {
      case CutLibrary.inCloud: counts = [ids[0]: counts[ids[0]] ?? 0]
      case CutLibrary.truncated: counts[ids[1]] = truncated
      case CutLibrary.cut:
        counts[ids[1]] = cut
        counts[ids[2]] = nil
      default: break
      }
      expected["\(CutLibrary.package(number))"] = counts
    }
    #expect(try library.readIndependently("Repaired") == expected)
  }

  @Test func jsonCountsTheSame() throws {
    let library = try CutLibrary()
    let result = try library.workshop.run("lnote-fsck", ["--json", "Notes.zip"])
    let lines = try FsckBadInputTests.lines(result)
    let summary = try #require(lines.last)
    #expect(summary["packages"]?.integer == Int64(CutLibrary.cut))
    #expect(summary["exit"]?.integer == 12)
    let codes = try #require(summary["byCode"]?.object).mapValues { $0.integer ?? 0 }
    #expect(codes == ["LN0013": 1, "LN1301": 1, "LN3002": 2, "LN2005": 1, "LN1001": 1, "LN5101": 1])
    // Pages that were read: all in front of the cut, and the two that are damaged.
    let pages = CutLibrary.cut * CutLibrary.pagesEach - 2 - 1
    #expect(summary["verified"]?["pages"]?.integer == Int64(pages))
  }

  private static func salvaged(_ kept: (strokes: Int, points: Int)) -> String {
    let part = kept.points > 0 ? ", 1 kept in part (\(kept.points) of \(CutLibrary.samples) points)" : ""
    let lost = 30 - kept.strokes - (kept.points > 0 ? 1 : 0)
    let end = lost == 0 ? "" : lost == 1 ? " 1 stroke was found nowhere." : " \(lost) strokes were found nowhere."
    return "Page 2 of 3: \(kept.strokes) strokes kept exactly\(part).\(end)"
  }

  private static func grouped(_ number: Int) -> String {
    number < 1000 ? "\(number)" : "\(number / 1000)," + String("\(1000 + number % 1000)".dropFirst())
  }

  /// The text in one line, without the codes at the right edge.
  private static func words(_ result: ProgramResult) -> String {
    result.outputText.split(whereSeparator: \.isWhitespace).filter { $0.wholeMatch(of: /LN[0-9]{4}/) == nil }
      .joined(separator: " ")
  }
}
