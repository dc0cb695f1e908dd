import JSON

extension CrashPage.Finding {
  /// The finding that `json` tells; nil where the value is no such thing.
  package init?(json: JSONValue) {
    guard let sentence = json["sentence"]?.string, let count = json["count"]?.string,
      let crash = json["crash"]?.string, let steps = json["steps"]?.array, let files = json["files"]?.array,
      let models = json["models"]?.array, let facts = json["facts"]?.array, let said = json["said"]?.array,
      let again = json["again"]?.array
    else { return nil }
    self.init(sentence: sentence, count: count)
    name = json["name"]?.string
    self.crash = crash
    why = json["why"]?.string
    self.steps = steps.compactMap(Step.init(json:))
    self.files = files.compactMap(File.init(json:))
    possibilities = models.compactMap(Possibility.init(json:))
    self.facts = facts.compactMap { fact in
      fact["label"]?.string.flatMap { label in fact["value"]?.string.map { (label, $0) } }
    }
    self.said = said.compactMap { line in
      line["text"]?.string.flatMap { text in line["isBad"]?.bool.map { (text, $0) } }
    }
    self.again = again.compactMap(\.string)
    let read = [self.steps.count, self.files.count, possibilities.count, self.facts.count, self.said.count]
    let given = [steps.count, files.count, models.count, facts.count, said.count]
    guard read == given, self.again.count == again.count else { return nil }
  }
}

extension CrashPage.Finding.Step {
  fileprivate init?(json: JSONValue) {
    guard let text = json["text"]?.string, let mark = json["mark"]?.string.flatMap(CrashPage.Finding.Mark.init) else {
      return nil
    }
    self.init(number: json["number"]?.integer.flatMap { UInt64(exactly: $0) }, text: text, mark: mark)
  }
}

extension CrashPage.Finding.File {
  fileprivate init?(json: JSONValue) {
    guard let path = json["path"]?.string, let bytes = json["bytes"]?.integer.flatMap({ UInt64(exactly: $0) }),
      let runs = json["blocks"]?.array
    else { return nil }
    let blocks = runs.compactMap { run -> (block: CrashPage.Finding.Block, count: Int)? in
      guard let block = run["block"]?.string.flatMap(CrashPage.Finding.Block.init),
        let count = run["count"]?.integer.flatMap({ Int(exactly: $0) }), count >= 0
      else { return nil }
      return (block, count)
    }
    guard blocks.count == runs.count else { return nil }
    self.init(path: path, bytes: bytes, blocks: blocks)
  }
}

extension CrashPage.Finding.Possibility {
  fileprivate init?(json: JSONValue) {
    guard let name = json["name"]?.string, let isPossible = json["isPossible"]?.bool,
      let isMeasured = json["isMeasured"]?.bool
    else { return nil }
    self.init(model: name, isPossible: isPossible, isMeasured: isMeasured)
  }
}
