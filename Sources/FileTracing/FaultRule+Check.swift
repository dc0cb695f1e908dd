import Files

extension FaultRule {
  /// A write is passed on in pieces of at most this many bytes, 1020 KiB, on both doors.
  ///
  /// The kernel hands over at most 256 pages in one request, and a buffer that begins within a page reaches into one
  /// page more than its size says: 255 pages fit wherever it begins, so the pieces are the same from run to run.
  package static let writeBytesMax: UInt64 = 255 << 12

  /// Why the rule could never do what it says, and what to write instead; nil for a rule that can.
  package var reasonToRefuse: String? {
    reasonByName ?? reasonByOperations ?? reasonByEffect ?? reasonByPhase ?? reasonByTarget ?? reasonByOccurrence
  }

  private var reasonByName: String? { name.isEmpty ? "a fault needs a name to clear it by" : nil }

  private var reasonByOperations: String? {
    for kind in OperationKind.allCases where operations.contains(kind) && !OperationKind.nameable.contains(kind) {
      return "'\(kind.rawValue)' cannot be hit; write one of "
        + OperationKind.nameable.map(\.rawValue).joined(separator: " ")
    }
    return nil
  }

  private var reasonByEffect: String? {
    switch effect {
    case .powerCut, .kill: return nil
    case .tornWrite, .fsyncFail, .fsyncLie, .flip, .zeroBlock, .misplacedBlock, .staleRead, .shortRead, .badSector,
      .asyncError, .remountReadOnly, .shutdown, .lockedDevice, .rolledBack, .placeholder, .shuffled, .slow, .hang:
      return "this fault cannot be armed yet"
    case .errno(let errno):
      if Errno(name: errno.name) == nil { return "\(errno.name) is no error that a plan can name" }
      return nil
    case .tornRename(let way):
      if operations != [.rename] { return "torn-rename hits renames only; write 'on rename'" }
      if case .targetPrefix(bytes: 0) = way { return "target-prefix 0B is target-empty; write that" }
      return nil
    case .shortWrite(let bytesMax):
      if operations != [.write] { return "short-write hits writes only; write 'on write'" }
      if bytesMax == 0 { return "a write that takes nothing is an error; write ENOSPC or EIO" }
      if bytesMax >= FaultRule.writeBytesMax {
        return "a write is at most 1020KiB, so none is cut to \(bytesMax)B; write less than 1020KiB"
      }
      return nil
    }
  }

  private var reasonByPhase: String? {
    switch (effect, phase) {
    case (.errno, .during): "an error happens before or after its operation, not during it"
    case (.shortWrite, .before), (.shortWrite, .after): "a short write happens during its write; leave the phase out"
    case (.tornRename, .before), (.tornRename, .after): "a torn rename happens during its rename; leave the phase out"
    default: nil
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
