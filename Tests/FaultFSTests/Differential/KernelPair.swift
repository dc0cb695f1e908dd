import CKernelCalls
import Files
import Glibc
import TestSupport

/// Runs the same steps in a directory of a fault disk's mount and in one of another file system.
struct KernelPair {
  /// A directory on the mount.
  let mounted: BytePath
  /// A directory of the file system that is taken for right.
  let reference: BytePath
  /// How it is called in reports.
  let referenceName: String
  let scope: KernelCallMaker.Scope
  /// True where both change times at the same calls.
  let comparesTimes: Bool

  /// The first step at which the two differ.
  struct Difference: CustomStringConvertible {
    let steps: [KernelStep]
    let mounted: String
    let reference: String
    let referenceName: String

    var description: String {
      let list = steps.enumerated().map { "  \($0.offset + 1)  \($0.element)" }.joined(separator: "\n")
      return "\(list)\n  faultfs: \(mounted)\n  \(referenceName): \(reference)"
    }
  }

  /// Steps between two comparisons of the whole trees.
  private static let stepsBetweenTrees = 100

  /// The first difference that the steps show in two new directories; nil where they show none.
  func difference(_ steps: [KernelStep]) throws -> Difference? {
    let places = [mounted.appending("t"), reference.appending("t")]
    for place in [mounted, reference] { _ = chmod(place.description, 0o755) }
    for place in places {
      guard mkdir(place.description, 0o777) == 0, chmod(place.description, 0o777) == 0 else {
        throw FileCallError("mkdir", [place], .current)
      }
    }
    defer { for place in places { KernelPair.remove(place) } }
    let sides = try places.map { try KernelSide($0, keepsTimes: comparesTimes) }
    func compare(_ count: Int, _ answers: [String]) -> Difference? {
      if KernelPair.agree(answers[0], answers[1]) { return nil }
      return Difference(
        steps: Array(steps.prefix(count)), mounted: answers[0], reference: answers[1], referenceName: referenceName)
    }
    for (place, step) in steps.enumerated() {
      if let found = compare(place + 1, sides.map { $0.perform(step) }) { return found }
      guard (place + 1).isMultiple(of: KernelPair.stepsBetweenTrees) || place + 1 == steps.count else { continue }
      let trees = sides.map { $0.tree(listsAttributes: scope.hasAttributes) }
      if trees[0] == trees[1] { continue }
      let lines = [Set(trees[0]).subtracting(trees[1]), Set(trees[1]).subtracting(trees[0])]
      if let found = compare(place + 1, lines.map { $0.sorted().joined(separator: "\n    ") }) { return found }
    }
    return nil
  }

  /// True where the answers are the same, but for what a coarse clock hides.
  ///
  /// A directory's times that change twice within one tick may look unchanged on the other file system.
  static func agree(_ mounted: String, _ reference: String) -> Bool {
    if mounted == reference { return true }
    let parts = [mounted, reference].map { $0.split(separator: ";") }
    guard parts[0].count == parts[1].count else { return false }
    return zip(parts[0], parts[1]).allSatisfy { mounted, reference in
      if mounted == reference { return true }
      let words = [mounted, reference].map { $0.split(separator: " ") }
      guard words[0].contains(where: { $0.hasPrefix("04") }) else { return false }
      let (marks, seen) = (Set(words[0].suffix(2)), Set(words[1].suffix(2)))
      let rest = words.map { $0.filter { $0 != "m" && $0 != "c" } }
      return rest[0] == rest[1] && ["m", "c"].allSatisfy { marks.contains($0) || !seen.contains($0) }
    }
  }

  /// The shortest list of steps found that still shows a difference: as many are left out as can be.
  func shrunk(_ difference: Difference) throws -> Difference {
    var best = difference
    var size = max(1, best.steps.count / 2)
    while true {
      var start = 0
      var hasShrunk = false
      while start < best.steps.count {
        var steps = best.steps
        steps.removeSubrange(start..<min(start + size, steps.count))
        if let found = try self.difference(steps) {
          best = found
          hasShrunk = true
        } else {
          start += size
        }
      }
      if size == 1 && !hasShrunk { return best }
      size = max(1, size / 2)
    }
  }

  /// Removes a tree, as far as it can be.
  private static func remove(_ place: BytePath) {
    if let volume = try? HostVolume(root: place) {
      for entry in (try? volume.entries(of: .root, countMax: 10_000)) ?? [] {
        if (try? volume.unlink(entry.name)) == nil { remove(place.appending(entry.name)) }
      }
    }
    let name = place.bytes.map { CChar(bitPattern: $0) } + [0]
    _ = rmdir(name)
  }
}
