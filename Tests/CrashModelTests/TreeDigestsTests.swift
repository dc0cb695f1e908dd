import Bytes
import FaultDisk
import FileTracing
import Files
import Testing

@testable import CrashModel

private let n = UInt8(ascii: "n")
private let o = UInt8(ascii: "o")

/// The digests by which states are told apart, and the log by which a cut of a journal is told, against plain ways.
@Suite struct TreeDigestsTests {
  static let setUp: [WorkloadCall] = [
    .put("f", o, 8242), .mkdir("A"), .put("A/a", o, 100), .put("g", o, 100), .put("x", o, 10), .put("y", o, 10),
  ]
  static let calls: [WorkloadCall] = [
    .put("t", n, 9000), .fsync("t"), .link("t", "u"), .rename("t", "f"), .fsync(""), .symlink("f", "s"),
    .unlink("A/a"), .fsync("A"), .write("g", at: 0, n, 100), .put("A/b", n, 100), .fsync("A/b"), .mkdir("B"),
    .rename("A/b", "B/b"), .append("g", n, 5000), .fsync("g"), .unlink("u"), .fsync(""),
    // One name, of one or of the other of two files that are alike.
    .link("x", "z"), .unlink("z"), .link("y", "z"),
  ]

  /// What a tree holds, as text.
  private static func picture(of tree: DiskTree, on disk: FaultDisk) -> [String] {
    var lines: [String] = []
    var names: [UInt64: BytePath] = [:]
    var open: [(BytePath, UInt64)] = [(.root, tree.root)]
    while let (path, inode) = open.popLast() {
      guard let node = tree.nodes[inode] else { continue }
      let first = names[inode]
      names[inode] = first ?? path
      let bytes =
        node.attributes.kind == .regular
        ? "\(node.content.size) \(disk.digest(of: node.content, from: 0, to: node.content.size))" : ""
      lines.append(
        "\(path) \(first.map { "is \($0)" } ?? "") \(node.attributes.kind) \(node.attributes.permissions) \(node.text) "
          + bytes)
      for (name, inner) in (tree.entries[inode] ?? [:]).sorted(by: { $0.key > $1.key }) {
        open.append((path.appending(name), inner))
      }
    }
    return lines
  }

  @Test(arguments: ["ext4-ordered", "xfs", "btrfs", "posix-weakest"])
  func digestsAreEqualForEqualTreesOnly(_ name: String) throws {
    let model = try #require(PersistenceModel.named(name))
    let bench = try Workbench.recording(Self.setUp, Self.calls)
    var catalogue = ContentCatalogue(bench.disk)
    var pictures: [Digest128: [String]] = [:]
    var digests: [[String]: Digest128] = [:]
    var window = CrashWindow(bench.recording, model)
    for record in bench.recording.records {
      _ = try window.begin(record)
      var cuts = Cuts(window, seed: 0)
      for place in 0..<min(cuts.count, 40) {
        let cut = cuts.cut(at: place)
        let reachable = cut.namespace.reachable
        var open: [(inode: UInt64, choices: FileChoices)] = []
        for inode in Set(reachable.map(\.inode)).sorted() where (window.files[inode]?.lastVersion ?? 0) > 0 {
          open.append((inode, FileChoices(window.space(of: inode, in: cut))))
        }
        let all = catalogue.digests(of: window, cut, reachable, open)
        for combination in Combinations(open.map { $0.choices.list.count }, 24, seed: 1).list.prefix(48) {
          var choices: [UInt64: FileChoice] = [:]
          for (file, index) in zip(open, combination) { choices[file.inode] = file.choices.list[index] }
          let digest = all.digest(of: combination)
          let picture = Self.picture(of: window.tree(cut, reachable, choices), on: bench.disk)
          #expect(pictures[digest, default: picture] == picture)
          #expect(digests[picture, default: digest] == digest)
          pictures[digest] = picture
          digests[picture] = digest
        }
      }
      _ = window.finish()
    }
    #expect(pictures.count > 20)
  }

  @Test func theLogOfFsyncsIsReplayedAsItWasWritten() throws {
    let bench = try Workbench.recording(Self.setUp, Self.calls)
    var window = CrashWindow(bench.recording, .btrfs)
    var compared = 0
    for record in bench.recording.records {
      _ = try window.begin(record)
      _ = window.finish()
      let entries = window.log.entries
      var slots = LoggedSlots(entries)
      // Back along the log, and once forwards again.
      let last = record.number
      for commit in (0...last).reversed() + [last / 2, 0, last] {
        var wanted = window.base
        for entry in entries where entry.record > commit { for change in entry.changes { wanted.apply(change) } }
        var found = window.base
        slots.replay(behind: commit, into: &found)
        #expect(found == wanted, "behind \(commit) of \(entries.map(\.record))")
        compared += entries.isEmpty ? 0 : 1
      }
    }
    #expect(compared > 100)
  }
}
