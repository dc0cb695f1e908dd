extension PersistenceModel {
  /// The rules in words, one sentence each, without full stops.
  package var rules: [String] {
    var rules = [metadataRule]
    if metadataOrder == .immediate { return rules }
    if overwriting == .inOrder {
      rules.append("data and sizes are in that order too")
    } else {
      rules += [sizeRule, newBlockRule, overwritingRule]
      if replacingRename == .startsFlush {
        rules.append("a rename over a file brings the size of the new one with it, and not its data")
      }
      if !truncateZeroesFirst {
        rules.append("a file that is cut and made longer again may show the old bytes behind the cut")
      }
    }
    if metadataOrder != .free && !fdatasyncKeepsRename {
      rules.append("fdatasync does not keep the rename of a file that was clean")
    }
    if metadataOrder != .free && !synchronousWriteKeepsFile {
      rules.append("a write through O_SYNC keeps what it wrote, and nothing else of the file")
    }
    if !fsyncEndures { rules.append("fsync orders, and a power cut may take what it was told to keep") }
    return rules
  }

  private var metadataRule: String {
    switch metadataOrder {
    case .immediate: "every operation is durable when it returns"
    case .total:
      "names are kept up to some operation, and none behind it; fsync keeps all up to the last about its file"
    case .commitAndLog:
      "names are kept up to some operation, and behind it only what an fsync was about: its file with all its names, or "
        + "the names in its directory"
    case .free:
      "each name is kept or lost by itself, also one of the two of a rename; fsync of a directory keeps its names"
    }
  }

  private var sizeRule: String {
    switch sizeOrder {
    case .inOrder: "the size that a write brings about is in the order of the names"
    case .floating: "the size that a write brings about may come at any time later"
    }
  }

  private var newBlockRule: String {
    switch newBlocks {
    case .mayBeZeros: "blocks below the size may read as zeros"
    case .lastIsThere: "the last block below the size has its data; those before it may read as zeros"
    case .areThere: "new blocks below the size have their data"
    }
  }

  private var overwritingRule: String {
    switch overwriting {
    case .inPlace: "blocks that are overwritten may be old or new, each by itself, whatever becomes of the names"
    case .withCommit: "blocks that are overwritten are old until the next commit"
    case .inOrder: "blocks are in the order of the names"
    }
  }

  /// The page of all models, as Markdown.
  package static var page: String {
    all.map { model in
      let measured = model.isMeasured ? "" : " Not measured: written from documents and source code."
      return "## \(model.name)\n\n\(model.title).\(measured)\n\n"
        + model.rules.map { "- \($0)\n" }.joined()
    }.joined(separator: "\n")
  }
}
