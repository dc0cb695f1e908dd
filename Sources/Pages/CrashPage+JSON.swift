import JSON

extension CrashPage.Finding {
  /// The finding for programs.
  package var json: JSONValue {
    .object([
      "sentence": .string(sentence), "count": .string(count), "name": name.map { .string($0) } ?? .null,
      "crash": .string(crash), "why": why.map { .string($0) } ?? .null,
      "steps": .array(
        steps.map { step in
          .object([
            "number": step.number.map { .integer(Int64(clamping: $0)) } ?? .null, "text": .string(step.text),
            "mark": .string(step.mark.rawValue),
          ])
        }),
      "files": .array(
        files.map { file in
          .object([
            "path": .string(file.path), "bytes": .integer(Int64(clamping: file.bytes)),
            "blocks": .array(
              file.runs(cellsMax: 0).map { run in
                .object(["block": .string(run.block.rawValue), "count": .integer(Int64(run.count))])
              }),
          ])
        }),
      "models": .array(
        possibilities.map { one in
          .object([
            "name": .string(one.model), "isPossible": .bool(one.isPossible), "isMeasured": .bool(one.isMeasured),
          ])
        }),
      "facts": .array(
        facts.map { .object(["label": .string($0.label), "value": .string($0.value)]) }),
      "said": .array(said.map { .object(["text": .string($0.text), "isBad": .bool($0.isBad)]) }),
      "again": .array(again.map { .string($0) }),
    ])
  }
}
