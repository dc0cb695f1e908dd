/// A counterexample as a regression: what runs, under the name of its title.
package enum AdoptedScenario: Sendable {
  /// The name of its file and its text.
  case adopted(name: String, text: String)
  /// Why it cannot be one, as the user sees it.
  case refused(String)

  /// Makes a regression of the content of a file.
  ///
  /// What belongs to the run that has found it goes: `budget` and `tags`. Comments stay, as what was found and when.
  package static func adopt(
    _ bytes: [UInt8], file: String, vocabulary: ScenarioVocabulary, files: ScenarioFiles
  ) -> AdoptedScenario {
    let reading = ScenarioReading.read(bytes, file: file, vocabulary: vocabulary, files: files)
    guard reading.scenario != nil, let text = try? SourceText.decoded(bytes) else { return .refused(reading.text) }
    if reading.random != nil {
      return .refused(
        "\(file): it leaves something to chance - adopt the case that failed, which 'run --keep DIR' leaves there\n")
    }
    let scenario = Parser.scenario(in: text).scenario
    var gone: Set<Int> = []
    for item in scenario.items {
      switch item {
      case .include(let name):
        return .refused("\(file):\(name.place.line): a regression is one file - put in what is included\n")
      case .setting(let setting):
        if case .budget = setting.kind { gone.insert(setting.place.line) }
        if case .tags = setting.kind { gone.insert(setting.place.line) }
      default: break
      }
    }
    let source = SourceText(text).lines.enumerated().filter { !gone.contains($0.offset + 1) }.map(\.element)
    let cleaned = source.joined(separator: "\n")
    // A line with more on it than the setting stays.
    let kept = Parser.scenario(in: cleaned).scenario.items.count + gone.count == scenario.items.count ? cleaned : text
    return .adopted(
      name: Parser.nameLike(scenario.title) + ".scn", text: ScenarioFormatter.formatted(kept))
  }
}
