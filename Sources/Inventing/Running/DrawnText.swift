import Campaigns
import Scenarios

/// The text that is run of a file: its own, or that of a case that chance makes of it.
struct DrawnText {
  /// The text, which leaves nothing to chance but faults with a probability.
  let text: String
  /// Where it comes from: "drawn from day.scn with seed 7"; empty where it is the file.
  let comment: String

  /// True where chance has made it.
  var isOfChance: Bool { !comment.isEmpty }

  /// The text of a file.
  ///
  /// - Parameter seed: what is drawn with, where the file leaves something to chance; nil for the seed that it names.
  init(of file: CaseWork.CaseText, seed: UInt64?) throws(CampaignError) {
    let reading = ScenarioReading.read(
      Array(file.text.utf8), file: file.file, vocabulary: .own, overrides: file.overrides, files: file.files)
    guard let random = reading.random else {
      (text, comment) = (file.overrides.isEmpty ? file.text : reading.wholeText ?? file.text, "")
      return
    }
    let first = seed ?? random.seedOfFile ?? 1
    var refusal = ""
    for number in 0..<UInt64(RandomScenario.triesMax) {
      let seed = first &+ number
      switch random.drawn(seed: seed) {
      case .concrete(let concrete):
        comment = "drawn from \(file.file) with seed \(seed)"
        text = concrete.text.withComment(comment)
        return
      case .refused(let why): refusal = refusal.isEmpty ? why : refusal
      }
    }
    throw CampaignError("no case that was drawn makes sense: \(refusal.prefix { $0 != "\n" })")
  }
}
