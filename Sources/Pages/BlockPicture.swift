extension CrashPage.Finding.File {
  /// So many blocks have a cell each; of more, those that are alike share one.
  static let cellsMax = 32

  /// Blocks that follow each other and are alike.
  struct Run: Equatable {
    var block: CrashPage.Finding.Block
    var first: Int
    var count: Int
  }

  /// The blocks as runs, each of one block where there are no more than this.
  func runs(cellsMax: Int = Self.cellsMax) -> [Run] {
    var runs: [Run] = []
    var place = 0
    let isSmall = blocks.reduce(0) { $0 + $1.count } <= cellsMax
    for (block, count) in blocks where count > 0 {
      if isSmall {
        runs += (place..<place + count).map { Run(block: block, first: $0, count: 1) }
      } else if let last = runs.last, last.block == block {
        runs[runs.count - 1].count += count
      } else {
        runs.append(Run(block: block, first: place, count: count))
      }
      place += count
    }
    return runs
  }

  /// The file as a row of blocks, with its name and size.
  var picture: Markup {
    let cells = runs().map { run in
      let place = run.count == 1 ? "block \(run.first)" : "blocks \(run.first) to \(run.first + run.count - 1)"
      return Markup.element(
        "li",
        ["class": run.block.rawValue, "style": "flex-grow:\(run.count)", "title": "\(place): \(run.block.meaning)"],
        .element("span", [:], Markup(run.block.letter)),
        run.count == 1 ? .nothing : .element("small", [:], Markup("\u{00D7}\(run.count)")))
    }
    let empty = Markup.element("p", ["class": "empty"], Markup("no block at all"))
    return .element(
      "figure", [:],
      .element("figcaption", [:], .element("code", [:], Markup(path)), Markup(" "), Markup(sizeText)),
      cells.isEmpty ? empty : .element("ol", ["class": "blocks"], .joined(cells)))
  }

  private var sizeText: String { bytes == 1 ? "1 byte" : "\(bytes) bytes" }
}

extension CrashPage.Finding {
  /// What the marks of the blocks mean that are there.
  static func legend(of files: [File]) -> Markup {
    let shown = Set(files.flatMap { $0.blocks.filter { $0.count > 0 }.map(\.block) })
    let there = Block.allCases.filter { shown.contains($0) }
    let items = there.map { block in
      Markup.element(
        "li", [:], .element("span", ["class": "key \(block.rawValue)"], Markup(block.letter)), Markup(" "),
        Markup(block.meaning))
    }
    return .element("ul", ["class": "legend"], .joined(items))
  }
}

extension CrashPage.Finding.Block {
  /// The letter of the reports in text.
  var letter: String {
    switch self {
    case .new: "n"
    case .earlier: "m"
    case .old: "o"
    case .zeros: "0"
    case .torn: "t"
    case .missing: "\u{2212}"
    }
  }

  /// What it means.
  var meaning: String {
    switch self {
    case .new: "as written last"
    case .earlier: "as written before that"
    case .old: "as it was before the run"
    case .zeros: "zeros"
    case .torn: "torn: some sectors as written last, the rest from before"
    case .missing: "missing: behind the end of the file"
    }
  }
}
