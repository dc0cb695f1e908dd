import Files
import JSON
import LNoteFormat

/// A search of raw bytes as JSON Lines: start, carved, error, and exactly one summary, last.
package struct CarveJSON {
  private let report: CarveReport

  /// The lines of a search.
  package init(_ report: CarveReport) { self.report = report }

  /// Every line, each with its newline.
  package func bytes(milliseconds: Int) -> [UInt8] {
    var lines = [start]
    let errors =
      report.errors + report.failures
      + (report.bytesUnread > 0 ? ["\(report.bytesUnread) bytes could not be read"] : [])
      + (report.isIncomplete ? ["the search met a limit"] : [])
    lines += errors.map { line("error", ["message": .string($0)]) }
    lines += report.items.map(carved)
    lines.append(summary(milliseconds: milliseconds))
    return lines.flatMap { JSONLines.line(.object($0)) }
  }

  private func line(_ type: String, _ fields: [String: JSONValue]) -> [String: JSONValue] {
    fields.merging(["type": .string(type), "v": .integer(JSONReport.version)]) { first, _ in first }
  }

  private var start: [String: JSONValue] {
    line(
      "start",
      [
        "mode": "carve", "level": "default", "arguments": .array(report.arguments.map { .string($0) }),
        "packages": JSONValue(report.items.count),
      ])
  }

  private func carved(_ item: CarveReport.Item) -> [String: JSONValue] {
    line(
      "carved",
      [
        "package": .string("\(report.target)/\(PackageNames.package(item.id))"), "id": .string("\(item.id)"),
        "title": .string(item.title), "listed": .bool(!item.isMadeUp), "whole": .bool(item.isWhole),
        "pages": .object([
          "whole": JSONValue(item.pagesWhole), "inPart": JSONValue(item.pagesInPart),
          "missing": JSONValue(item.pagesMissing), "older": JSONValue(item.pagesOlder),
        ]),
        "elements": .integer(Int64(clamping: item.elements)),
        "images": .object(["found": JSONValue(item.images), "missing": JSONValue(item.imagesMissing)]),
        "loss": .object([
          "elements": .integer(Int64(clamping: item.loss.elements)),
          "samples": .integer(Int64(clamping: item.loss.samples)), "atLeast": .bool(item.loss.isAtLeast),
        ]),
      ])
  }

  private func summary(milliseconds: Int) -> [String: JSONValue] {
    let exit = report.exit
    let verdict =
      exit.contains(.usage)
      ? "usage"
      : exit.contains(.cancelled)
        ? "cancelled" : exit.contains(.operational) ? "incomplete" : exit.isEmpty ? "clean" : "errors-left"
    let lost = report.items.reduce(UInt64(0)) { $0 + $1.loss.elements }
    return line(
      "summary",
      [
        "verdict": .string(verdict), "exit": .integer(Int64(exit.rawValue)), "packages": JSONValue(report.items.count),
        "level": "default",
        "verified": .object([
          "pages": JSONValue(report.items.reduce(0) { $0 + $1.pagesWhole }),
          "images": JSONValue(report.items.reduce(0) { $0 + $1.images }),
          "decoded": .integer(0), "bytes": .integer(Int64(clamping: report.bytes)),
        ]),
        "unverified": .object(["withoutChecksum": .integer(0), "pages": .integer(0), "images": .integer(0)]),
        "problems": .object([:]), "byCode": .object([:]),
        "strict": false, "ignored": .object([:]),
        "fixed": .integer(0), "loss": .object(["elements": .integer(Int64(clamping: lost))]),
        "seconds": .real(Double(milliseconds / 10) / 100),
      ])
  }
}
