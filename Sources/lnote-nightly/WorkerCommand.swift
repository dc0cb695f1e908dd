import Campaigns
import Files
import Harness
import Inventing
import JSON
import Options
import Processes
import Scenarios

/// `lnote-nightly worker`: takes cases as lines of JSON, and answers each with its record.
struct WorkerCommand {
  /// What a worker is told first.
  struct Orders {
    let folder: BytePath
    let inventor: ScenarioInventor
    let stepsMax: Int

    var json: JSONValue {
      .object([
        "folder": .string(folder.description), "invention": .object(inventor.settings.mapValues { .string($0) }),
        "stepsMax": JSONValue(stepsMax),
      ])
    }

    init(folder: BytePath, inventor: ScenarioInventor, stepsMax: Int) {
      self.stepsMax = stepsMax
      self.folder = folder
      self.inventor = inventor
    }

    init?(json: JSONValue) {
      guard let folder = json["folder"]?.string, let invention = json["invention"]?.object,
        let stepsMax = json["stepsMax"]?.integer.flatMap({ Int(exactly: $0) })
      else { return nil }
      self.stepsMax = stepsMax
      self.folder = BytePath(folder)
      inventor = ScenarioInventor(invention.compactMapValues(\.string))
    }
  }

  init(_ reading: OptionReading) {}

  /// Works until the lines end, or an empty one comes.
  func run() throws(Refusal) -> Int32 {
    let lines = LineChannel.standard()
    // Nobody would read what it writes.
    try Self.onPipe { () throws(ProcessCallError) in try ParentProcess.endsThisProcessWithIt() }
    guard let first = try Self.onPipe({ () throws(ProcessCallError) in try lines.receive() }),
      let json = try? JSONValue.parse(first), let orders = Orders(json: json)
    else { throw Refusal(2, "a worker is started by 'lnote-nightly run'") }
    let work = try work(orders)
    while let line = try Self.onPipe({ () throws(ProcessCallError) in try lines.receive() }), !line.isEmpty {
      guard let value = try? JSONValue.parse(line), let planned = value["case"]?.string.flatMap(PlannedCase.init),
        let seed = value["seed"]?.string.flatMap({ UInt64($0) })
      else { throw Refusal(2, "a worker was told what is no case") }
      let answer = work.record(planned, campaignSeed: seed).json.serialized()
      try Self.onPipe { () throws(ProcessCallError) in try lines.send(answer) }
    }
    return 0
  }

  private static func onPipe<Value>(_ body: () throws(ProcessCallError) -> Value) throws(Refusal) -> Value {
    do throws(ProcessCallError) { return try body() } catch { throw Refusal(4, "a worker: \(error)") }
  }

  private func work(_ orders: Orders) throws(Refusal) -> CaseWork {
    let volume = try Refusal.reading(orders.folder) { () throws(FileCallError) in try HostVolume(root: orders.folder) }
    do throws(HarnessError) {
      return CaseWork(doors: try Doors(.inProcess), inventor: orders.inventor, stepsMax: orders.stepsMax) {
        (planned) throws(CampaignError) in
        let file = RunFolder.file(of: planned)
        do throws(FileCallError) {
          let bytes = try volume.readWhole(BytePath(file), sizeMax: 1 << 20)
          return CaseWork.CaseText(
            file: file, text: String(decoding: bytes, as: UTF8.self),
            files: .beside(orders.folder.appending(BytePath(file))))
        } catch {
          throw CampaignError("\(file): \(error.errno)")
        }
      }
    } catch {
      throw Refusal(4, error.description)
    }
  }
}
