import Files
import JSON
import LNoteFormat

/// A run as JSON Lines: start, what was found, planned and done, and exactly one summary, last.
package struct JSONReport {
  /// The version of the lines' form.
  static let version: Int64 = 1
  private let run: RunReport

  /// The lines of a run.
  package init(_ run: RunReport) { self.run = run }

  /// Every line, each with its newline.
  package func bytes(milliseconds: Int) -> [UInt8] {
    lines(milliseconds: milliseconds).flatMap { JSONLines.line(.object($0)) }
  }

  private func lines(milliseconds: Int) -> [[String: JSONValue]] {
    var lines = [start]
    lines += run.errors.map { message in line("error", ["message": .string(message)]) }
    lines += run.synced.map { folder in
      var fields: [String: JSONValue] = [
        "message": .string(Sentences.synced(folder)), "service": .string(folder.service.rawValue),
      ]
      fields.add("folder", folder.folder)
      return line("warning", fields)
    }
    for item in run.items {
      lines += item.report.found.map { problem($0, item, "problem") }
      if let planned = item.report.planned {
        var fields = planned.members
        fields.add("package", item.path)
        lines.append(line("plan", fields))
      }
      lines += item.report.actions.map { action($0, item) }
      lines += copied(item)
      lines += undoActions(item)
      if item.report.refusal != nil {
        lines += item.report.left.filter { $0.repairClass == .operational || $0.kind == .inUse }
          .map { problem($0, item, "error") }
      }
      if item.report.didChange { lines.append(verify(item)) }
    }
    for drawing in run.drawings ?? [] {
      var fields: [String: JSONValue] = ["folder": .string(run.drawingsFolder), "pages": JSONValue(drawing.pages)]
      fields.add("file", drawing.name)
      lines.append(line("drawing", fields))
    }
    return lines + [summary(milliseconds: milliseconds)]
  }

  private func line(_ type: String, _ fields: [String: JSONValue]) -> [String: JSONValue] {
    var line = fields
    line["type"] = .string(type)
    line["v"] = .integer(JSONReport.version)
    return line
  }

  private var start: [String: JSONValue] {
    let mode =
      switch run.mode {
      case .check: "check"
      case .repair(.automatic): "safe"
      case .repair(.all): "yes"
      case .ask: "ask"
      case .copy: "copy"
      case .undo: "undo"
      case .acceptLoss: "accept-loss"
      case .plan(.all): "plan"
      case .plan(.automatic): "plan-safe"
      case .applyPlan: "apply-plan"
      }
    return line(
      "start",
      [
        "mode": .string(mode), "level": .string(run.level.rawValue),
        "arguments": .array(run.arguments.map { .string($0) }),
        "packages": .integer(Int64(run.documents.count)),
      ])
  }

  private func problem(_ problem: Problem, _ item: RunReport.Item, _ type: String) -> [String: JSONValue] {
    var fields: [String: JSONValue] = [
      "code": .string(problem.kind.code), "name": .string(problem.kind.name),
      "severity": .string(problem.severity.rawValue), "message": .string(problem.message),
    ]
    fields.add("package", item.path)
    if let title = item.report.title { fields["title"] = .string(title) }
    if let path = problem.path { fields.add("path", path) }
    if let page = problem.page { fields["page"] = place(page) }
    if !problem.pages.isEmpty { fields["pages"] = .array(problem.pages.map { place($0) }) }
    if let asset = problem.asset { fields["asset"] = .string("\(asset)") }
    if let offset = problem.offset { fields["offset"] = .integer(Int64(clamping: offset)) }
    if !problem.evidence.isEmpty { fields["evidence"] = .string(problem.evidence) }
    if !problem.details.isEmpty { fields["details"] = .array(problem.details.map { .string($0) }) }
    if let action = problem.action { fields["repair"] = repair(problem, action) }
    return line(type, fields)
  }

  private func place(_ page: PagePlace) -> JSONValue {
    var place: [String: JSONValue] = ["id": .string("\(page.id)")]
    if let number = page.number { place["number"] = .integer(Int64(number)) }
    return .object(place)
  }

  private func repair(_ problem: Problem, _ action: RepairAction) -> JSONValue {
    var fields: [String: JSONValue] = [
      "class": .string(problem.repairClass.rawValue), "action": .string(action.name),
      "loss": .object([
        "elements": .integer(Int64(clamping: problem.loss.elements)),
        "samples": .integer(Int64(clamping: problem.loss.samples)), "atLeast": .bool(problem.loss.isAtLeast),
      ]),
    ]
    if let kept = problem.recovered {
      fields["recovers"] = .object([
        "elements": .integer(Int64(clamping: kept.elements)),
        "samples": .integer(Int64(clamping: kept.partial?.samples ?? 0)),
      ])
    }
    if case .fetch(let file, _) = action { fields.add("from", BytePath(file.shown)) }
    return .object(fields)
  }

  private func action(_ record: RepairRecord, _ item: RunReport.Item) -> [String: JSONValue] {
    var fields: [String: JSONValue] = [
      "code": .string(record.step.code), "action": .string(record.step.description),
      "done": .bool(record.didSucceed),
    ]
    fields.add("package", item.path)
    fields.add("path", record.step.path)
    return line("action", fields)
  }

  /// What is not in a copy, and what was removed to make place for it.
  private func copied(_ item: RunReport.Item) -> [[String: JSONValue]] {
    let told =
      item.report.leftOut.map { ("left-out", $0.path) }
      + item.report.removedCopies.map { ("remove-unfinished-copy", $0) }
    return told.map { action, path in
      var fields: [String: JSONValue] = ["action": .string(action), "done": true]
      fields.add("package", item.path)
      fields.add("path", path)
      return line("action", fields)
    }
  }

  private func undoActions(_ item: RunReport.Item) -> [[String: JSONValue]] {
    guard let undo = item.report.undo else { return [] }
    let done = undo.restored.map { ("put back", $0, true) } + undo.removed.map { ("take out", $0, true) }
    return (done + undo.refused.map { ("put back", $0.path, false) }).map { action, path, isDone in
      var fields: [String: JSONValue] = [
        "code": .string(UndoExecutor.code), "action": .string(action), "done": .bool(isDone),
      ]
      fields.add("package", item.path)
      fields.add("path", path)
      return line("action", fields)
    }
  }

  private func verify(_ item: RunReport.Item) -> [String: JSONValue] {
    var fields: [String: JSONValue] = [
      "clean": .bool(item.report.isWithoutLoss),
      "left": .object(item.report.codesLeft().mapValues { .integer(Int64($0)) }),
    ]
    fields.add("package", item.path)
    if let folder = item.report.lostAndFound {
      fields.add("setAside", BytePath(bytes: Array((item.report.asidePrefix ?? item.prefix).utf8) + folder.bytes))
    }
    return line("verify", fields)
  }

  private func summary(milliseconds: Int) -> [String: JSONValue] {
    let found = run.items.flatMap(\.report.found)
    var byCode: [String: JSONValue] = [:]
    var bySeverity: [String: JSONValue] = [:]
    for kind in ProblemKind.all {
      let count = found.count { $0.kind == kind }
      if count > 0 { byCode[kind.code] = .integer(Int64(count)) }
    }
    for severity in Severity.allCases {
      let count = found.count { $0.severity == severity }
      if count > 0 { bySeverity[severity.rawValue] = .integer(Int64(count)) }
    }
    let verified = run.verified
    return line(
      "summary",
      selected.merging([
        "verdict": .string(verdict), "exit": .integer(Int64(run.exit.rawValue)),
        "packages": .integer(Int64(run.documents.count)), "level": .string(run.level.rawValue),
        "verified": .object([
          "pages": .integer(Int64(clamping: verified.pages)), "images": .integer(Int64(clamping: verified.images)),
          "decoded": .integer(Int64(clamping: verified.imagesDecoded)),
          "bytes": .integer(Int64(clamping: verified.bytes)),
        ]),
        "unverified": .object([
          "withoutChecksum": .integer(Int64(clamping: verified.withoutChecksum)),
          "pages": .integer(Int64(clamping: verified.pagesUnread)),
          "images": .integer(Int64(clamping: verified.imagesUnread)),
        ]),
        "problems": .object(bySeverity), "byCode": .object(byCode),
        "fixed": .integer(Int64(run.items.reduce(0) { $0 + $1.report.repaired.count })),
        "loss": .object(["elements": .integer(Int64(clamping: run.elementsLost))]),
        "seconds": .real(Double(milliseconds / 10) / 100),
      ]) { first, _ in first })
  }

  /// What the run was told to leave out.
  private var selected: [String: JSONValue] {
    var fields: [String: JSONValue] = [
      "strict": .bool(run.selection.isStrict),
      "ignored": .object(run.hiddenByCode.mapValues { .integer(Int64($0)) }),
    ]
    let only = run.selection.rules.only.sorted()
    if !only.isEmpty { fields["only"] = .array(only.map { .string($0) }) }
    if let part = run.selection.part {
      fields["subset"] = .object([
        "part": .string("\(part)"), "documents": JSONValue(run.documents.count),
        "of": JSONValue(run.selection.documentsInAll),
      ])
    }
    return fields
  }

  private var verdict: String {
    let exit = run.exit
    if exit.contains(.usage) { return "usage" }
    if exit.contains(.cancelled) { return "cancelled" }
    if exit.contains(.internal) { return "internal" }
    if exit.contains(.operational) { return "incomplete" }
    if exit.contains(.errorsLeft) { return "errors-left" }
    if exit.contains(.repaired) { return "repaired" }
    return run.items.allSatisfy { $0.report.isClean } ? "clean" : "warnings"
  }
}

extension RepairAction {
  /// The action's word in JSON.
  var name: String {
    switch self {
    case .makeDirectory: "make-directory"
    case .setAside: "set-aside"
    case .place(_, let target): target.parent == PackagePaths.assets ? "place-image" : "place-page"
    case .adoptIdentity: "new-identity"
    case .restore: "restore"
    case .fetch: "fetch"
    case .rebuildDocument: "rebuild-document"
    case .keepOlderDocument: "keep-older-document"
    case .salvagePage: "salvage"
    case .emptyPage: "empty-page"
    case .trimPage: "trim"
    case .cutJournal: "cut-journal"
    case .keepOlderPage: "keep-older-page"
    case .amendPage: "amend-page"
    case .mendDocument: "mend-document"
    case .mendCanvas: "mend-canvas"
    case .cleanTitle: "clean-title"
    case .listPages: "list-pages"
    case .dropDoubles: "drop-doubles"
    case .correctCanvas: "correct-canvas"
    case .listPage: "list-page"
    case .adoptCopy: "adopt-copy"
    case .correctEntry: "correct-entry"
    case .recordAssetLoss: "record-loss"
    case .healPage: "heal-page"
    case .healAsset: "heal-image"
    case .drawThumbnails: "draw-thumbnails"
    case .setAsideThumbnails: "set-aside-thumbnails"
    case .writeManifest: "write-manifest"
    }
  }
}
