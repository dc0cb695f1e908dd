import Files

extension FaultRule {
  /// A write is passed on in pieces of at most this many bytes, 1020 KiB, on both doors.
  ///
  /// The kernel hands over at most 256 pages in one request, and a buffer that begins within a page reaches into one
  /// page more than its size says: 255 pages fit wherever it begins, so the pieces are the same from run to run.
  package static let writeBytesMax: UInt64 = 255 << 12

  /// A part of a rule, for a caret below it.
  package enum Part: Hashable, Sendable {
    case name, effect, operations, phase, target, occurrence
  }

  /// Why the rule could never do what it says, and what to write instead; nil for a rule that can.
  package var reasonToRefuse: String? { refusal?.reason }

  /// The part that is wrong, and why; nil for a rule that can do what it says.
  package var refusal: (part: Part, reason: String)? {
    let reasons: [(Part, String?)] = [
      (.name, reasonByName), (.operations, reasonByOperations ?? reasonByEffect), (.effect, reasonByAmount),
      (.phase, reasonByPhase), (.target, reasonByTarget), (.occurrence, reasonByOccurrence),
    ]
    for (part, reason) in reasons { if let reason { return (part, reason) } }
    return nil
  }

  private var reasonByName: String? {
    if name.isEmpty { return "a fault needs a name to clear it by" }
    return name == SpaceBound.word ? "'\(name)' is the name of the bound on space; choose another" : nil
  }

  private var reasonByOperations: String? {
    for kind in OperationKind.allCases where operations.contains(kind) && !OperationKind.nameable.contains(kind) {
      return "'\(kind.rawValue)' cannot be hit; write one of "
        + OperationKind.nameable.map(\.rawValue).joined(separator: " ")
    }
    return nil
  }

  /// Why the effect cannot hit these operations.
  private var reasonByEffect: String? {
    if let needed = effect.operationsNeeded, operations.isEmpty || !operations.isSubset(of: needed) {
      let words = needed.map(\.rawValue)
      guard needed.count <= 2 else { return "\(effect.word.rawValue) hits only \(words.joined(separator: " "))" }
      return "\(effect.word.rawValue) hits \(needed.map(\.plural).joined(separator: " and ")) only; write "
        + words.map { "'on \($0)'" }.joined(separator: " or ")
    }
    return nil
  }

  /// Why the number in the effect makes it nothing, or something else.
  private var reasonByAmount: String? {
    switch effect {
    case .errno(let errno): Errno(name: errno.name) == nil ? "\(errno.name) is no error that a plan can name" : nil
    case .tornRename(.targetPrefix(bytes: 0)): "target-prefix 0B is target-empty; write that"
    case .shortWrite(bytesMax: 0): "a write that takes nothing is an error; write ENOSPC or EIO"
    case .shortWrite(let bytesMax), .tornWrite(let bytesMax):
      reasonByWriteMax(bytesMax)
        ?? (effect.word == .tornWrite && !bytesMax.isMultiple(of: FaultRule.sectorBytes)
          ? "a disk writes whole sectors; write a multiple of 512B" : nil)
    case .shortRead(bytesMax: 0): "a read of nothing is the end of the file; write at least 1B"
    case .flip(bits: 0): "flip 0 bits changes nothing; leave the fault out"
    case .flip(let bits) where bits > FaultRule.writeBytesMax * 8:
      "a write is at most 1020KiB, so \(bits) bits are more than it has"
    case .slow(milliseconds: 0): "slow 0ms is no delay; leave the fault out"
    case .slow(let milliseconds) where milliseconds > FaultRule.delayMillisecondsMax:
      "a delay is at most a day; write 'hang' for an answer that never comes"
    default: nil
    }
  }

  /// The unit in which a disk tears.
  private static let sectorBytes: UInt64 = 512
  private static let delayMillisecondsMax: UInt64 = 86_400_000

  private func reasonByWriteMax(_ bytesMax: UInt64) -> String? {
    guard bytesMax >= FaultRule.writeBytesMax else { return nil }
    return "a write is at most 1020KiB, so none is cut to \(bytesMax)B; write less than 1020KiB"
  }

  private var reasonByPhase: String? {
    guard !effect.phasesPossible.contains(phase) else { return nil }
    switch effect {
    case .errno: return "an error happens before or after its operation, not during it"
    case .shortWrite: return "a short write happens during its write; leave the phase out"
    case .tornRename: return "a torn rename happens during its rename; leave the phase out"
    case .slow, .hang: return "\(effect.word.rawValue) is about the answer; leave the phase out"
    case let effect where effect.phasesPossible == [.during]:
      return "\(effect.word.rawValue) happens during its operation; leave the phase out"
    default: return "\(effect.word.rawValue) happens before or after its operation, not during it"
    }
  }

  private var reasonByTarget: String? {
    guard let target else { return nil }
    if target.patterns.isEmpty { return "the target '\(target.spelling)' stands for no path" }
    for pattern in target.patterns {
      if let reason = pattern.reasonToRefuse { return "the pattern '\(pattern.glob)' matches nothing: \(reason)" }
    }
    if target.side != .either && operations.isDisjoint(with: [.rename, .link]) {
      return "'\(target.side.rawValue)' needs an operation with two paths; write 'on rename' or 'on link'"
    }
    return nil
  }

  private var reasonByOccurrence: String? {
    if occurrence.nth == 0 { return "nth counts from 1" }
    if occurrence.every == 0 { return "every counts from 1" }
    if occurrence.times == 0 { return "times 0 never happens; leave the fault out" }
    if let nth = occurrence.nth, let times = occurrence.times, times > 1 {
      return "nth \(nth) is one operation, so times \(times) never happens; leave times out"
    }
    if let nth = occurrence.nth, let every = occurrence.every, !nth.isMultiple(of: every) {
      return "nth \(nth) is never among every \(every)"
    }
    if occurrence.afterBytes != nil && !operations.isEmpty && operations.isDisjoint(with: [.write, .read]) {
      return "after-bytes counts the bytes of reads and writes; write 'on write'"
    }
    if let probability = occurrence.probability, !(probability > 0 && probability <= 1) {
      return "probability \(probability) is not above 0 and at most 1"
    }
    return nil
  }
}

extension NamePattern {
  /// Why no path of a disk can match; nil where one can.
  package var reasonToRefuse: String? {
    if glob.bytes.contains(0) { return "it has a zero byte" }
    let names = glob.bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    for name in names where name.isEmpty {
      return names.count == 1 ? "it is empty" : "it has an empty name; paths have no slash at an end, and single ones"
    }
    if names.contains(where: { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }) {
      return "paths have no '.' or '..'"
    }
    return nil
  }
}

extension OperationKind {
  /// "writes": how sentences speak of several.
  fileprivate var plural: String { self == .readdir ? "listings" : rawValue + "s" }
}
