import FileTracing
import Files
import TestSupport

@testable import FaultDisk

/// A tree as a test writes it: paths of directories end with a slash, files have their text; zero bytes are "0".
func shown(_ volume: any Volume) throws -> [String: String] {
  var tree: [String: String] = [:]
  for path in try volume.tree() {
    if try volume.status(at: path).kind == .directory {
      tree["\(path)/"] = ""
    } else {
      tree["\(path)"] = String(
        decoding: try volume.bytes(of: path).map { $0 == 0 ? UInt8(ascii: "0") : $0 }, as: UTF8.self)
    }
  }
  return tree
}

extension FaultDisk {
  /// The tree after a power cut and a restart.
  func shownAfter(cut survivors: SurvivingState) throws -> [String: String] {
    powerCut(survivors)
    restart()
    return try shown(volume())
  }
}

extension Volume {
  /// fsync of a file or directory by its path.
  func synchronize(path: BytePath, isDirectory: Bool = false) throws {
    let file = try open(path, for: isDirectory ? .directory : .writing)
    try synchronize(file)
    try close(file)
  }
}

extension FaultRule {
  /// A rule named "f".
  init(
    _ effect: FaultEffect, on kinds: Set<OperationKind>, _ glob: BytePath? = nil, nth: UInt64? = nil,
    phase: FaultPhase? = nil
  ) {
    let target = glob.map { FaultTarget(patterns: [NamePattern($0)], spelling: $0.description) }
    self.init(
      name: "f", effect: effect, operations: kinds, target: target, occurrence: FaultOccurrence(nth: nth), phase: phase)
  }
}

/// The error that a call fails with; nil where it succeeds.
func errno(of call: () throws -> Void) -> Errno? {
  do {
    try call()
    return nil
  } catch {
    return (error as? FileCallError)?.errno ?? error as? Errno
  }
}
