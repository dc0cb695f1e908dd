import FaultDisk
import FileTracing
import Files
import Testing

@testable import CrashModel

/// Patterns of blocks stand for all their combinations: no drawn combination tells something new.
@Suite struct BlockClassTests {
  private static let n = UInt8(ascii: "n")
  private static let o = UInt8(ascii: "o")

  static let workloads: [String: (setUp: [WorkloadCall], calls: [WorkloadCall])] = [
    "new": ([], [.create("f"), .write("f", at: 0, n, 24 * 4096, pieces: 12)]),
    "overwritten": ([.put("f", o, 24 * 4096)], [.write("f", at: 0, n, 24 * 4096, pieces: 4)]),
    "appended": ([.put("f", o, 8 * 4096 + 50)], [.append("f", n, 16 * 4096, times: 1)]),
  ]

  /// What a checker of whole blocks can see: which letters there are, how the file begins and ends, and where it turns.
  static func verdict(_ text: String) -> String {
    let letters = Array(text.drop { $0 != ":" }.dropFirst())
    let kinds = Set(letters).sorted()
    return
      "\(String(kinds)) first \(letters.first.map(String.init) ?? "-") last \(letters.last.map(String.init) ?? "-")"
  }

  @Test(arguments: workloads.keys.sorted()) func drawnCombinationsAddNothing(_ name: String) throws {
    let workload = try #require(Self.workloads[name])
    for model in [PersistenceModel.ext4Ordered, .xfs, .btrfs, .posixWeakest] {
      let (disk, recording) = try Workbench.recording(workload.setUp, workload.calls)
      let window = try CrashWindow(recording, model, isPowerCut: true, at: .max)
      let cut = window.newestCut
      let inode = try #require(cut.namespace.inode(at: "f"))
      let space = window.space(of: inode, in: cut)
      let choices = FileChoices(space)
      #expect(!choices.isWhole || choices.list.count == Int(choices.count))
      let known = Set(choices.list.map { Self.verdict(Self.text(of: $0.content, on: disk)) })
      var draws = SplitMix64(7)
      for round in 0..<1000 {
        let run = space.sizes[Int(draws.next() % UInt64(space.sizes.count))]
        let pick = run[Int(draws.next() % UInt64(run.count))]
        var content = window.files[inode]?.content(of: pick.version) ?? FileContent()
        content.resize(to: pick.size)
        for block in space.changedBlocks where block * FileWindow.blockBytes < pick.size {
          let versions = space.versions(of: block, at: pick)
          let version = versions[Int(draws.next() % UInt64(versions.count))]
          let low = block * FileWindow.blockBytes
          content.extents.take(
            from: space.window.content(of: version).extents, low, min(low + FileWindow.blockBytes, pick.size))
        }
        if round % 20 == 0 { #expect(space.choice(for: content) != nil) }
        let verdict = Self.verdict(Self.text(of: content, on: disk))
        #expect(known.contains(verdict), "\(model.name): \(verdict) is not among \(known.sorted())")
        if !known.contains(verdict) { break }
      }
    }
  }

  static func text(of content: FileContent, on disk: FaultDisk) -> String {
    var letters = ""
    for low in stride(from: 0, to: content.size, by: 4096) {
      letters.append(FileSpace.letter(of: disk.bytes(of: content, from: low, to: min(low + 4096, content.size))))
    }
    return "\(content.size):\(letters)"
  }
}
