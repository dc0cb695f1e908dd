import JSON

/// What a shard has written down, line by line.
package struct ShardLog: Sendable {
  /// Why a shard ended.
  package enum End: String, Sendable {
    /// Everything was run.
    case done
    /// The time was used up.
    case budget
    /// It was told to end.
    case stopped
  }

  /// One line of the file.
  package enum Line: Sendable {
    /// A process began to work on the shard.
    case start(plan: String, shard: Shard, build: String)
    /// A case was begun. Without a record behind it, it was in flight when the process died.
    case begun(PlannedCase)
    /// What came of a case.
    case record(CampaignRecord)
    /// The process ended as it should.
    case end(End)

    /// The line as an object.
    package var json: JSONValue {
      switch self {
      case .start(let plan, let shard, let build):
        .object([
          "type": "start", "plan": .string(plan), "shard": JSONValue(shard.index), "shards": JSONValue(shard.count),
          "build": .string(build),
        ])
      case .begun(let planned): .object(["type": "begun", "case": .string(planned.identity)])
      case .record(let record): .object(["type": "case", "record": record.json])
      case .end(let end): .object(["type": "end", "why": .string(end.rawValue)])
      }
    }
  }

  /// Which shard it is.
  package let shard: Shard
  /// The records, in the order of the file.
  package var records: [CampaignRecord] = []
  /// Cases that were in flight when a process ended and were not run again, one a worker at the most.
  package var inFlight: [PlannedCase] = []
  /// How the last process ended; nil where it died.
  package var end: End?
  /// How many bytes of the file are whole lines: what is behind them was torn, and is written over.
  package var wholeBytes = 0

  /// Reads the file of a shard. A torn last line is what a kill leaves, and is passed over.
  ///
  /// - Throws: where the file is of another plan, or any other line is not whole.
  package init(_ bytes: [UInt8], plan: CampaignPlan) throws(CampaignError) {
    guard let last = bytes.lastIndex(of: UInt8(ascii: "\n")) else {
      throw CampaignError("nothing was written down: its first line is not whole")
    }
    wholeBytes = last + 1
    var lines = JSONLines()
    lines.append(bytes[...last])
    var shard: Shard?
    var (records, inFlight, end): ([CampaignRecord], [PlannedCase], End?) = ([], [], nil)
    while let value = try Self.next(&lines) {
      switch try Line(json: value) {
      case .start(let digest, let found, let build):
        guard digest == plan.digest else {
          throw CampaignError("belongs to another plan (\(digest), of build \(build)); this one is \(plan.digest)")
        }
        if let shard, shard != found { throw CampaignError("has lines of two shards") }
        shard = found
        end = nil
      case .begun(let planned): if !inFlight.contains(planned) { inFlight.append(planned) }
      case .record(let record):
        records.append(record)
        inFlight.removeAll { $0 == record.planned }
      case .end(let why): end = why
      }
      if shard == nil { throw CampaignError("its first line does not say which plan it belongs to") }
    }
    guard let shard else { throw CampaignError("nothing was written down") }
    self.shard = shard
    self.records = records
    self.inFlight = inFlight
    self.end = end
  }

  private static func next(_ lines: inout JSONLines) throws(CampaignError) -> JSONValue? {
    do throws(JSONError) { return try lines.next() } catch { throw CampaignError("\(error)") }
  }
}

extension ShardLog.Line {
  /// The line of an object.
  init(json: JSONValue) throws(CampaignError) {
    let fields = try Fields(json, of: "a line")
    switch try fields.string("type") {
    case "start":
      let count = try fields.integer("shards", in: 1...CampaignPlan.shardsMax)
      let shard = Shard(index: try fields.integer("shard", in: 0...(count - 1)), count: count)
      self = .start(plan: try fields.string("plan"), shard: shard, build: try fields.string("build"))
    case "begun":
      guard let planned = PlannedCase(identity: try fields.string("case")) else {
        throw fields.wrong("case", "names no case")
      }
      self = .begun(planned)
    case "case": self = .record(try CampaignRecord(json: try fields.value("record")))
    case "end":
      guard let end = ShardLog.End(rawValue: try fields.string("why")) else {
        throw fields.wrong("why", "is none that this version knows")
      }
      self = .end(end)
    default: throw fields.wrong("type", "is none that this version knows")
    }
  }
}
