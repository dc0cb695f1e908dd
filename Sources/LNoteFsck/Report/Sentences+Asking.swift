import Terminal

/// What is asked before a repair, and what the answers mean.
extension Sentences {
  /// What stands before the answer.
  package static let mayThisBeDone = "Do this? [y/n/a/q/?] "

  /// What is said to anything that is no answer.
  package static let thatIsNoAnswer = "Please answer y, n, a or q; ? says what they mean.\n"

  /// What the answers mean.
  package static let whatAnswersMean = """
      y   do this
      n   leave this as it is
      a   do this, and everything else that this run could ask about
      q   leave this and everything else as it is, and end
      ?   say what the answers mean
      Nothing is deleted: what is replaced is set aside. --undo takes it back.

    """
}

extension TextReport {
  /// The document, what is wrong with it, what would be done about it and what that costs.
  package static func question(_ report: PackageReport, shown: String, paint: Paint) -> String {
    let run = RunReport(mode: .plan(.all), arguments: [shown])
    let lines = TextReport(run, paint: paint).block(RunReport.Item(report: report, shown: shown, prefix: ""))
    return lines.dropLast().map { $0 + "\n" }.joined()
  }
}
