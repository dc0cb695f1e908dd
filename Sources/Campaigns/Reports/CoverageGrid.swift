import Pages
import Terminal

/// What was covered, as a grid: a row for each fault, a column for each role of an operation.
struct CoverageGrid {
  let coverage: [CoverageCell: Int]

  var markup: Markup {
    if coverage.isEmpty { return .nothing }
    let faults = sorted(\.fault)
    let roles = sorted(\.role)
    var counts: [[String]: Int] = [:]
    for (cell, count) in coverage { counts[[cell.fault, cell.role], default: 0] += count }
    let head = Markup.joined(
      ([""] + roles).map { .element("th", ["scope": "col"], Markup($0.replacing("-", with: " "))) })
    let rows = faults.map { fault in
      let cells = roles.map { role in
        counts[[fault, role]].map { Markup.element("td", Markup(Figures.grouped($0))) }
          ?? .element("td", ["class": "none"], Markup("\u{2013}"))
      }
      return Markup.element("tr", .element("th", ["scope": "row"], Markup(fault)), .joined(cells))
    }
    let stores =
      "Stores: \(sorted(\.store).joined(separator: ", ")). Models: \(sorted(\.model).joined(separator: ", ")). "
    return .element(
      "section", .element("h2", Markup("Covered")),
      .element("p", Markup(stores + "A number is of cases that had this fault on an operation of this kind.")),
      .element(
        "div", ["class": "scrolls"],
        .element("table", ["class": "grid"], .element("thead", .element("tr", head)), .element("tbody", .joined(rows))))
    )
  }

  private func sorted(_ part: KeyPath<CoverageCell, String>) -> [String] {
    Set(coverage.keys.map { $0[keyPath: part] }).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}
