import CKernelCalls
import Files
import Glibc
import TestSupport

/// Draws operations from a seed: few names, so that they meet, and every kind of flag.
struct KernelCallMaker {
  /// Which parts of the interface are drawn.
  struct Scope: Sendable {
    var hasAttributes = false
    var hasUsers = false
    var hasTemporaryFiles = false
    var hasSticky = true
    var hasZeroRange = false
    /// Draws FALLOC_FL_COLLAPSE_RANGE, which the reference then has to refuse as the kernel does for a FUSE server.
    var collapses = true
    /// Reserved pages that are reserved again are data for tmpfs; so a sequence either reserves or looks for holes.
    var reserves = true
    var looksForHoles = true
  }

  private var generator: SeededGenerator
  private let scope: Scope

  init(seed: UInt64, scope: Scope) {
    generator = SeededGenerator(seed: seed)
    self.scope = scope
  }

  /// The first steps of a sequence: something to work on.
  static let beginnings: [KernelStep] = [
    KernelStep(call: .makeDirectory("d", mode: 0o777)), KernelStep(call: .makeDirectory("d/e", mode: 0o755)),
    KernelStep(call: .open("a", flags: O_RDWR | O_CREAT, mode: 0o666, slot: 0)),
    KernelStep(call: .open("d/b", flags: O_RDWR | O_CREAT, mode: 0o644, slot: 1)),
    KernelStep(call: .symlink("d", "l")),
  ]

  private static let names: [BytePath] = [
    "a", "b", "c", "d", "e", "l", "a", "b", "d", BytePath(bytes: [0xFF, 0xFE, 0x2E]), "caf\u{E9}", "cafe\u{301}",
    BytePath(bytes: [UInt8](repeating: UInt8(ascii: "n"), count: 255)),
  ]
  private static let oddNames: [BytePath] = [
    BytePath(bytes: [UInt8](repeating: UInt8(ascii: "n"), count: 256)), ".", "..", "d/.", "d/..", "a/", "d/",
  ]
  private static let slotCount = 6

  /// The next step.
  mutating func next() -> KernelStep {
    var step = KernelStep(call: call())
    if scope.hasUsers && chance(45) { step.actor = pick([.owner, .member, .stranger]) }
    // A chown to nobody in particular reaches a server as a write does (PosixDeviationsTests).
    if case .changeOwner(_, .max, .max) = step.call { step.actor = .root }
    return step
  }

  private mutating func call() -> KernelCall {
    let weight = below(100)
    if weight < 38 { return fileCall() }
    if weight < 72 { return nameCall() }
    if weight < 88 { return attributeCall() }
    return scope.hasAttributes ? extendedAttributeCall() : lookingCall()
  }

  private mutating func fileCall() -> KernelCall {
    switch below(22) {
    case 0, 1, 2, 3: return .open(path(), flags: openFlags(), mode: mode(), slot: slot())
    case 4: return .close(slot())
    case 5: return .duplicate(slot(), to: slot())
    case 6, 7: return .read(slot(), at: offset(), length: length())
    case 8, 9, 10:
      let flags = pick([0, 0, 0, ckernel_RWF_DSYNC, ckernel_RWF_SYNC, ckernel_RWF_APPEND])
      return .write(slot(), at: offset(), length: length(), byte: byte(), flags: flags)
    case 11: return .writeHere(slot(), length: length(), byte: byte())
    case 12: return .setAppending(slot(), chance(50))
    case 13: return .cut(slot(), to: pick([offset(), -1]))
    case 14: return .synchronize(slot(), dataOnly: chance(50))
    case 15, 16:
      var modes: [CInt] = scope.collapses ? [3, 2, 8] : [3, 2]
      if scope.reserves { modes += [0, 1, 3] }
      if scope.hasZeroRange { modes += [16, 17] }
      return .allocate(slot(), mode: pick(modes), at: offset(), length: Int64(length()))
    case 17, 18:
      if !scope.looksForHoles { return .close(slot()) }
      return .seek(slot(), from: offset(), toData: chance(50))
    case 19:
      return .copyRange(slot(), at: offset(), to: slot(), toOffset: offset(), length: length())
    case 20: return .writeMapped(slot(), at: offset(), length: length(), byte: byte())
    default:
      if chance(50) {
        return .lock(slot(), operation: pick([LOCK_SH, LOCK_EX, LOCK_UN]) | LOCK_NB)
      }
      return .lockRange(slot(), type: pick([F_RDLCK, F_WRLCK, F_UNLCK]), at: offset(), length: Int64(length()))
    }
  }

  private mutating func nameCall() -> KernelCall {
    switch below(16) {
    case 0, 1, 2: return .rename(path(), path(), flags: 0)
    case 3: return .rename(path(), path(), flags: pick([1, 2, 2, 3]))
    case 4, 5: return .link(path(), path(), follows: chance(30))
    case 6: return .linkOpen(slot(), path())
    case 7: return .symlink(pick(["a", "d", "d/..", "l", "missing", "d/e", "l/b"]), path())
    case 8: return .readLink(path())
    case 9, 10: return .unlink(path())
    case 11, 12: return .makeDirectory(path(), mode: mode())
    case 13: return .removeDirectory(path())
    case 14: return .makeNode(path(), mode: pick([S_IFIFO, S_IFREG, S_IFSOCK, S_IFCHR]) | mode())
    default: return .open(path(), flags: openFlags(), mode: mode(), slot: slot())
    }
  }

  private mutating func attributeCall() -> KernelCall {
    switch below(9) {
    case 0, 1: return .changeMode(path(), mode: mode())
    case 2: return .changeModeOpen(slot(), mode: mode())
    case 3, 4:
      let numbers: [UInt32] = [0, 1000, 1001, 65534, .max]
      return .changeOwner(path(), user: pick(numbers), group: pick(numbers))
    case 5, 6:
      let times: [Int64?] = [nil, 0, 1, 1_000_000_007, -1]
      return .setTimes(path(), accessed: pick(times), modified: pick(times))
    case 7: return .cutPath(path(), to: offset())
    default: return .access(path(), wanted: pick([F_OK, R_OK, W_OK, X_OK, R_OK | W_OK, 7]))
    }
  }

  private mutating func lookingCall() -> KernelCall {
    switch below(3) {
    case 0: return .list(path())
    case 1: return .listWhileChanging(path())
    default: return .status(path())
    }
  }

  private mutating func extendedAttributeCall() -> KernelCall {
    let names = [
      "user.a", "user.b", "user." + String(repeating: "x", count: 250), "user." + String(repeating: "x", count: 251),
      "user.", "trusted.t", "system.s", "none", "",
    ]
    switch below(9) {
    case 0, 1, 2:
      return .setAttribute(
        path(), name: pick(names + ["user.a", "user.b"]), length: pick([0, 1, 7, 100, 3000]), byte: byte(),
        flags: pick([0, 0, 1, 2, 3]))
    case 3, 4: return .getAttribute(path(), name: pick(names), size: pick([0, 5, 200, 70_000]))
    case 5: return .listAttributes(path(), size: pick([0, 8, 4096]))
    case 6: return .removeAttribute(path(), name: pick(names))
    default: return lookingCall()
    }
  }

  // MARK: - Draws

  private mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &generator) }
  private mutating func chance(_ percent: Int) -> Bool { below(100) < percent }
  private mutating func pick<Value>(_ values: [Value]) -> Value { values[below(values.count)] }
  private mutating func slot() -> Int { below(KernelCallMaker.slotCount) }
  private mutating func byte() -> UInt8 { UInt8(1 + below(255)) }

  private mutating func path() -> BytePath {
    if chance(4) { return pick(KernelCallMaker.oddNames) }
    var path = pick(KernelCallMaker.names)
    if chance(45) { path = pick(["d", "d", "e", "l", "a", "d/e"] as [BytePath]).appending(path) }
    return path
  }

  private mutating func offset() -> Int64 {
    switch below(6) {
    case 0: return 0
    case 1: return Int64(below(200))
    case 2: return Int64(4096 * below(5))
    case 3: return Int64(below(40_000))
    case 4: return Int64(4090 + below(12))
    default: return Int64(below(9000))
    }
  }

  private mutating func length() -> Int {
    switch below(6) {
    case 0: return below(3)
    case 1: return 4096
    case 2: return below(20_000)
    default: return 1 + below(5000)
    }
  }

  private mutating func mode() -> mode_t {
    let mode = mode_t(
      pick([0o644, 0o600, 0o755, 0o777, 0o666, 0o000, 0o750, 0o2775, 0o4755, 0o1777, 0o2644, 0o444, 0o640]))
    return scope.hasSticky ? mode : mode & ~0o1000
  }

  private mutating func openFlags() -> CInt {
    var flags = pick([O_RDONLY, O_WRONLY, O_RDWR, O_RDWR])
    if scope.hasTemporaryFiles && chance(10) { return (chance(80) ? O_RDWR : flags) | ckernel_O_TMPFILE }
    if chance(50) { flags |= O_CREAT }
    if chance(12) { flags |= O_EXCL }
    if chance(15) { flags |= O_TRUNC }
    if chance(15) { flags |= O_APPEND }
    if chance(10) { flags |= O_NOFOLLOW }
    if chance(10) { flags |= O_DIRECTORY }
    if chance(10) { flags |= O_SYNC }
    if chance(10) { flags |= O_DSYNC }
    return flags | O_NONBLOCK
  }
}
