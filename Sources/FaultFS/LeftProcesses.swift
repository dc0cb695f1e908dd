import Files
import Glibc

/// The processes that a program has left behind.
///
/// It is what descends from this process, but for the branches named.
/// They are ours where `Orphans.becomeOurs` was called before.
package enum LeftProcesses {
  /// More processes than a machine has.
  private static let processesMax = 1 << 22

  /// Their numbers, ascending.
  package static func now(except spared: Set<Int32>) -> [Int32] {
    guard let volume = try? HostVolume(root: "/proc"),
      let entries = try? volume.entries(of: .root, countMax: processesMax)
    else { return [] }
    var children: [Int32: [Int32]] = [:]
    for entry in entries {
      guard let process = Int32(entry.name.description), let parent = ProcessFile.parent(of: process) else { continue }
      children[parent, default: []].append(process)
    }
    return descendants(of: getpid(), children, except: spared).filter { !ProcessFile.isGone($0) }
  }

  /// Everything below `process`, ascending.
  static func descendants(of process: Int32, _ children: [Int32: [Int32]], except spared: Set<Int32>) -> [Int32] {
    var found: [Int32] = []
    var waiting = [process]
    while let next = waiting.popLast() {
      for child in children[next] ?? [] where !spared.contains(child) {
        found.append(child)
        waiting.append(child)
      }
    }
    return found.sorted()
  }

  /// Sends a signal to each.
  package static func send(signal: CInt, to processes: [Int32]) {
    for process in processes { _ = kill(process, signal) }
  }

  /// Waits until none is left, at most this long; returns those that are.
  package static func wait(milliseconds: Int, except spared: Set<Int32>) -> [Int32] {
    var left = now(except: spared)
    var waited = 0
    while !left.isEmpty && waited < milliseconds {
      for process in left { _ = waitpid(process, nil, WNOHANG) }
      _ = poll(nil, 0, CInt(lookMilliseconds))
      waited += lookMilliseconds
      left = now(except: spared)
    }
    return left
  }

  private static let lookMilliseconds = 10
}
