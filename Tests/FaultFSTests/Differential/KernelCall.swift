import Files
import Glibc

/// One operation of a program, as two file systems are asked to do it. Paths are relative to the directory under test.
///
/// Descriptors are named by their slot; a call on an empty slot does nothing anywhere.
enum KernelCall: Hashable, Sendable {
  case open(BytePath, flags: CInt, mode: mode_t, slot: Int)
  case close(Int)
  case duplicate(Int, to: Int)
  case read(Int, at: Int64, length: Int)
  case write(Int, at: Int64, length: Int, byte: UInt8, flags: CInt)
  case writeHere(Int, length: Int, byte: UInt8)
  case setAppending(Int, Bool)
  case cut(Int, to: Int64)
  case cutPath(BytePath, to: Int64)
  case synchronize(Int, dataOnly: Bool)
  case allocate(Int, mode: CInt, at: Int64, length: Int64)
  case seek(Int, from: Int64, toData: Bool)
  case copyRange(Int, at: Int64, to: Int, toOffset: Int64, length: Int)
  case writeMapped(Int, at: Int64, length: Int, byte: UInt8)
  case lock(Int, operation: CInt)
  case lockRange(Int, type: CInt, at: Int64, length: Int64)
  case rename(BytePath, BytePath, flags: UInt32)
  case link(BytePath, BytePath, follows: Bool)
  case linkOpen(Int, BytePath)
  case symlink(BytePath, BytePath)
  case readLink(BytePath)
  case unlink(BytePath)
  case makeDirectory(BytePath, mode: mode_t)
  case removeDirectory(BytePath)
  case makeNode(BytePath, mode: mode_t)
  case changeMode(BytePath, mode: mode_t)
  case changeModeOpen(Int, mode: mode_t)
  case changeOwner(BytePath, user: uid_t, group: gid_t)
  case setTimes(BytePath, accessed: Int64?, modified: Int64?)
  case access(BytePath, wanted: CInt)
  case list(BytePath)
  case listWhileChanging(BytePath)
  case status(BytePath)
  case setAttribute(BytePath, name: String, length: Int, byte: UInt8, flags: CInt)
  case getAttribute(BytePath, name: String, size: Int)
  case listAttributes(BytePath, size: Int)
  case removeAttribute(BytePath, name: String)

  /// The paths whose attributes tell what the call did.
  var paths: [BytePath] {
    switch self {
    case .open(let path, _, _, _), .cutPath(let path, _), .readLink(let path), .unlink(let path),
      .makeDirectory(let path, _), .removeDirectory(let path), .makeNode(let path, _), .changeMode(let path, _),
      .changeOwner(let path, _, _), .setTimes(let path, _, _), .status(let path), .linkOpen(_, let path),
      .setAttribute(let path, _, _, _, _), .removeAttribute(let path, _):
      [path, path.parent]
    case .symlink(_, let path): [path, path.parent]
    case .rename(let from, let to, _), .link(let from, let to, _): [from, to, from.parent, to.parent]
    default: []
    }
  }

  /// The slot whose attributes tell what the call did.
  var slot: Int? {
    switch self {
    case .open(_, _, _, let slot), .write(let slot, _, _, _, _), .writeHere(let slot, _, _), .cut(let slot, _),
      .allocate(let slot, _, _, _), .copyRange(_, _, let slot, _, _), .writeMapped(let slot, _, _, _),
      .linkOpen(let slot, _), .changeModeOpen(let slot, _), .synchronize(let slot, _), .duplicate(_, let slot):
      slot
    default: nil
    }
  }
}

/// A call and who makes it.
struct KernelStep: Hashable, Sendable, CustomStringConvertible {
  var call: KernelCall
  var actor = Actor.root

  /// Users of a machine; root may do everything.
  enum Actor: String, Hashable, Sendable, CaseIterable {
    case root
    /// User and group 1000.
    case owner
    /// User 1001, group 1001, and a member of group 1000.
    case member
    /// User and group 65534, a member of no other group.
    case stranger

    /// The user, the group and one further group.
    var numbers: (user: UInt32, group: UInt32, furtherGroup: UInt32) {
      switch self {
      case .root: (0, 0, 0)
      case .owner: (1000, 1000, 1000)
      case .member: (1001, 1001, 1000)
      case .stranger: (65534, 65534, 65534)
      }
    }
  }

  var description: String { actor == .root ? "\(call)" : "as \(actor.rawValue): \(call)" }
}
