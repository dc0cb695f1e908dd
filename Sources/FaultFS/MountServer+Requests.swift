import FaultDisk
import FileTracing
import Files
import Glibc
import JSON
import Processes

/// What came of reading the text of one fault.
package enum FaultReading: Hashable, Sendable {
  /// The rule; its name counts only where the text gives one.
  case rule(FaultRule, isNamed: Bool)
  /// A bound on space.
  case freeSpace(SpaceBound)
  /// Why there is none, ready to print, with the place.
  case wrong(String)
}

// The control socket's requests, each answered after it took effect.
extension MountServer {
  /// Does what a line asks and answers; false where the client cannot be answered.
  func answer(_ line: [UInt8], of client: LineChannel) -> Bool {
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue.parse(line)
    } catch {
      return send(ControlAnswer.refused("this is no JSON: \(error)").json(number: 0), to: client)
    }
    let number = value["number"]?.integer.flatMap { Int(exactly: $0) } ?? 0
    do throws(ControlSyntaxError) {
      let request = try ControlRequest.read(value).request
      if case .wait(let what, let milliseconds) = request {
        guard let refusal = beginWait(for: what, milliseconds, number, client) else { return true }
        return send(refusal.json(number: number), to: client)
      }
      let answer = perform(request)
      // The lock of the last goodbye: the mount is gone before the answer, as for everything else.
      if request == .unmount {
        ending = .asked
        session.unmount()
      }
      return send(answer.json(number: number), to: client)
    } catch {
      return send(ControlAnswer.refused(error.description).json(number: number), to: client)
    }
  }

  func send(_ value: JSONValue, to client: LineChannel) -> Bool {
    do throws(ProcessCallError) {
      try client.send(value.serialized(), until: .after(milliseconds: MountServer.answerMillisecondsMax))
      return true
    } catch {
      return false
    }
  }

  /// A client that takes no answer for so long is let go.
  private static let answerMillisecondsMax = 10_000

  private func perform(_ request: ControlRequest) -> ControlAnswer {
    switch request {
    case .status: return .status(status)
    case .list: return .rules(rules, space: disk.withEngine { $0.spaceBound })
    case .stats: return .stats(disk.withEngine { ControlStats(of: $0) })
    case .log(let number):
      return .records(disk.withEngine { $0.log.records(after: number, countMax: ControlAnswer.recordsMax) })
    case .writeLog(let path):
      return attempt(at: path) { () throws(FileCallError) in try writeLog(of: disk, to: path) }
    case .export(let path):
      return attempt(at: path) { () throws(FileCallError) in try exportTree(of: disk, to: path) }
    case .restart: return restart()
    case .armText(let text): return arm(text)
    case .arm, .clear, .clearAll, .holdFaults, .powerCut, .setFreeSpace, .mark, .beginRecording, .wait, .unmount:
      return change(request)
    }
  }

  /// Changes the disk; what the kernel was told before and is not right any more is recalled before the answer.
  private func change(_ request: ControlRequest) -> ControlAnswer {
    do throws(ControlRefusal) {
      try disk.control(request)
    } catch {
      return .refused(error.description)
    }
    session.rulesChanged()
    switch request {
    case .powerCut, .clear, .clearAll:
      if disk.withEngine({ $0.takeKernelOutdated() || $0.condition != .running }) { session.recallEverything() }
    case .arm(let rule) where rule.makesNamesDoubtful || rule.canHitReads: session.recallEverything()
    default: break
    }
    return .done
  }

  private func arm(_ text: String) -> ControlAnswer {
    guard let read = wishes.readFault else { return .refused("this server takes faults as JSON only") }
    switch read(text) {
    case .wrong(let lines): return .refused(lines)
    case .freeSpace(let bound):
      let answer = change(.setFreeSpace(bytes: bound.bytes, inodes: bound.inodes))
      return answer == .done ? .armed(name: SpaceBound.word) : answer
    case .rule(var rule, let isNamed):
      if !isNamed { rule.name = freeName() }
      let answer = change(.arm(rule))
      guard answer == .done else { return answer }
      namesGiven.insert(rule.name)
      return .armed(name: rule.name)
    }
  }

  /// A name that no rule has had on this mount.
  private func freeName() -> String {
    let taken = namesGiven.union(disk.rules.map(\.name))
    let number = (1...).first { !taken.contains("fault-\($0)") } ?? 0
    return "fault-\(number)"
  }

  /// Writes something to the host. Not onto our own mount: we would wait for ourselves.
  private func attempt(at path: BytePath, _ work: () throws(FileCallError) -> Void) -> ControlAnswer {
    for place in [path, path.folderOnHost] {
      var status = stat()
      guard stat(place.cString, &status) == 0 else { continue }
      if status.st_dev == session.device { return .refused("\(path) lies on the mount itself; name another place") }
    }
    do throws(FileCallError) {
      try work()
      return .done
    } catch {
      return .refused(error.description)
    }
  }

  private func restart() -> ControlAnswer {
    session.unmount()
    let answer = change(.restart)
    do throws(MountObstacle) {
      session = try newSession()
      return answer
    } catch {
      ending = .failed(error.sentences)
      return .refused(error.sentences)
    }
  }

  private var rules: [ControlRule] {
    disk.withEngine { engine in
      let firings = engine.firings
      return engine.faultCounts.map { counts in
        let name = counts.rule.name
        // Those of an earlier rule of the same name are older than the last ones.
        let count = Int(clamping: counts.fired)
        let own = firings.filter { $0.rule == name }.suffix(count).prefix(ControlRule.firingsMax)
        return ControlRule(
          rule: counts.rule, matched: counts.matched, fired: counts.fired,
          firings: own.compactMap { engine.record($0.operation) })
      }
    }
  }

  private var status: ControlStatus {
    let milliseconds = UInt64(max(0, monotonicNanoseconds() - startNanoseconds)) / 1_000_000
    return disk.withEngine { [wishes] engine in
      ControlStatus(
        condition: engine.condition == .running ? .running : .cut, firings: engine.firings,
        counts: engine.log.tally.counted,
        lastRecord: engine.log.records.last?.number ?? engine.log.droppedCount, server: getpid(),
        mountPoint: wishes.mountPoint, milliseconds: milliseconds, rules: engine.rules.count,
        dataBytes: engine.dataBytes, holdsFaults: engine.holdsFaults,
        seesSync: wishes.seesSync, delayedMilliseconds: engine.delayedMilliseconds)
    }
  }
}

extension ControlStats {
  /// Counts of this disk, and of this process.
  init(of engine: borrowing DiskEngine) {
    let tally = engine.log.tally
    self.init(
      operations: tally.operations, bytesWritten: tally.bytesWritten, bytesRead: tally.bytesRead,
      dataBytes: engine.dataBytes,
      residentBytes: ProcessFile.residentBytes, records: UInt64(engine.log.records.count),
      openFiles: UInt64(engine.openHandleCount), inodes: engine.inodeCount)
  }
}
