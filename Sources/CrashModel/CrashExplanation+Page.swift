import Files
import Pages

extension CrashExplanation {
  /// So many operations are shown; of more the last ones.
  private static let stepsMax = 60

  /// Tells a finding of a page all that is known of the state.
  ///
  /// - Parameter words: what becomes of a text of the recording, as names in the place of paths.
  package func tell(to finding: inout CrashPage.Finding, words: (String) -> String = { $0 }) {
    finding.crash = words(place)
    finding.why = why.map(words)
    finding.possibilities =
      models.map { .init(model: $0.name, isPossible: true, isMeasured: $0.isMeasured) }
      + otherModels.map { .init(model: $0.name, isPossible: false, isMeasured: $0.isMeasured) }
    finding.steps = account.items.suffix(Self.stepsMax).map { item in
      CrashPage.Finding.Step(
        number: item.record.number, text: words(Self.text(of: item)), mark: Self.mark(of: item.share))
    }
    finding.steps.append(CrashPage.Finding.Step(number: nil, text: "crash \(words(place))", mark: .crash))
    if account.items.count > Self.stepsMax {
      let text = "\(account.items.count - Self.stepsMax) operations in front of these are not shown"
      finding.facts.append(("besides", text))
    }
    finding.files = account.bars.map { bar in
      let blocks = bar.runs.map { (Self.block($0.letter), $0.count) } + [(.missing, bar.missingCount)]
      return CrashPage.Finding.File(path: words(bar.path.description), bytes: bar.size, blocks: blocks)
    }
  }

  private static func mark(of share: CrashAccount.Share) -> CrashPage.Finding.Mark {
    switch share {
    case .whole: .kept
    case .inPart: .partly
    case .none: .lost
    case .blocks(let there, _, _): there == 0 ? .lost : .partly
    }
  }

  private static func block(_ letter: Character) -> CrashPage.Finding.Block {
    switch letter {
    case "n": .new
    case "m": .earlier
    case "0": .zeros
    case "t": .torn
    default: .old
    }
  }
}
