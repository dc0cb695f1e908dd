import Files

extension VolumeContract {
  /// V3, V4, V6, V9: what happens to names.
  static let nameRules: [Rule] = [
    Rule("V3 rename replaces the target, whose open files keep the old bytes") { subject, violations in
      let volume = subject.volume
      try volume.make("target", text: "old bytes")
      try volume.make("source", text: "new")
      let old = try volume.open("target", for: .reading)
      let source = try volume.status(at: "source")
      try volume.rename("source", to: "target")
      violations.expect("the target", try volume.bytes(of: "target"), is: Array("new".utf8))
      violations.expect("its inode", try volume.status(at: "target").inode, is: source.inode)
      violations.expect("the open file", try content(of: old, in: volume), is: Array("old bytes".utf8))
      violations.expect("links of the old target", try volume.status(of: old).links, is: 0)
      try volume.close(old)
      violations.expect("names", try names(in: volume), is: ["target"])
      try volume.make("into/kept", text: "x")
      try volume.rename("target", to: "into/moved")
      violations.expect("the tree", try volume.tree(), is: ["into", "into/kept", "into/moved"])
      try volume.rename("into", to: "renamed")
      violations.expect("the tree", try volume.tree(), is: ["renamed", "renamed/kept", "renamed/moved"])
      try volume.rename("renamed/kept", to: "renamed/kept")
      violations.expect("the tree", try volume.tree(), is: ["renamed", "renamed/kept", "renamed/moved"])
    },
    Rule("V3 rename replaces an empty directory by a directory, nothing else") { subject, violations in
      let volume = subject.volume
      try volume.make("full/file")
      try volume.make("other/file")
      try volume.make("file")
      try volume.makeDirectory("empty", permissions: 0o700)
      violations.expect("over a full directory", fails: [.enotempty, .eexist]) {
        try volume.rename("other", to: "full")
      }
      violations.expect("a file over a directory", fails: [.eisdir]) { try volume.rename("file", to: "empty") }
      violations.expect("a directory over a file", fails: [.enotdir]) { try volume.rename("empty", to: "file") }
      violations.expect("a directory into itself", fails: [.einval]) { try volume.rename("full", to: "full/inner") }
      violations.expect("of nothing", fails: [.enoent]) { try volume.rename("nothing", to: "file") }
      violations.expect("into nothing", fails: [.enoent]) { try volume.rename("file", to: "nothing/file") }
      violations.expect("below a file", fails: [.enotdir]) { try volume.rename("empty", to: "file/below") }
      violations.expect(
        "the tree", try volume.tree(), is: ["empty", "file", "full", "full/file", "other", "other/file"])
      try volume.rename("full", to: "empty")
      violations.expect("the tree", try volume.tree(), is: ["empty", "empty/file", "file", "other", "other/file"])
    },
    Rule("V4 renameKeeping keeps the target") { subject, violations in
      let volume = subject.volume
      try volume.make("a", text: "of a")
      try volume.make("b", text: "of b")
      try volume.makeDirectory("directory", permissions: 0o700)
      for target: BytePath in ["b", "a", "directory"] {
        violations.expect("to \(target)", fails: [.eexist]) { try volume.renameKeeping("a", to: target) }
      }
      violations.expect("of nothing", fails: [.enoent]) { try volume.renameKeeping("nothing", to: "c") }
      violations.expect("a", try volume.bytes(of: "a"), is: Array("of a".utf8))
      violations.expect("b", try volume.bytes(of: "b"), is: Array("of b".utf8))
      try volume.renameKeeping("a", to: "directory/c")
      try volume.renameKeeping("directory", to: "d")
      violations.expect("the tree", try volume.tree(), is: ["b", "d", "d/c"])
      violations.expect("c", try volume.bytes(of: "d/c"), is: Array("of a".utf8))
    },
    Rule("V6 entries come sorted by bytes, and not more than wished") { subject, violations in
      let volume = subject.volume
      violations.expect("names of an empty volume", try names(in: volume), is: [])
      let high = BytePath(bytes: [0xFF, 0x61])
      let given: [BytePath] = [high, "b", "B", "a", "a.b", "ab", "é", "z", "10", "9", "..."]
      for name in given { try volume.make(BytePath("d").appending(name)) }
      try volume.makeDirectory("d/directory", permissions: 0o700)
      let entries = try volume.entries(of: "d", countMax: 12)
      violations.expect(
        "names", entries.map(\.name), is: ["...", "10", "9", "B", "a", "a.b", "ab", "b", "directory", "z", "é", high])
      for entry in entries {
        let status = try volume.status(at: BytePath("d").appending(entry.name))
        violations.expect("inode of \(entry.name)", entry.inode, is: status.inode)
        if entry.kind != .unknown { violations.expect("kind of \(entry.name)", entry.kind, is: status.kind) }
      }
      violations.expect("one more than wished", fails: [.eoverflow]) { _ = try volume.entries(of: "d", countMax: 11) }
      violations.expect("entries of a file", fails: [.enotdir]) { _ = try volume.entries(of: "d/a", countMax: 9) }
      violations.expect("entries of nothing", fails: [.enoent]) { _ = try volume.entries(of: "no", countMax: 9) }
    },
    Rule("V9 a refused change of names changes nothing") { subject, violations in
      let volume = subject.volume
      try volume.make("full/file", text: "kept")
      try volume.make("file", text: "kept")
      violations.expect("create over a file", fails: [.eexist]) { try volume.make("file", text: "lost") }
      violations.expect("create over a directory", fails: [.eexist]) { try volume.make("full", text: "lost") }
      violations.expect("create in nothing", fails: [.enoent]) {
        try volume.close(try volume.open("no/file", for: .creating(permissions: 0o600)))
      }
      violations.expect("create below a file", fails: [.enotdir]) {
        try volume.close(try volume.open("file/file", for: .creating(permissions: 0o600)))
      }
      violations.expect("open nothing for reading", fails: [.enoent]) { _ = try volume.open("no", for: .reading) }
      violations.expect("open nothing for writing", fails: [.enoent]) { _ = try volume.open("no", for: .writing) }
      violations.expect("open a file as a directory", fails: [.enotdir]) {
        _ = try volume.open("file", for: .directory)
      }
      violations.expect("write a directory", fails: [.eisdir]) { _ = try volume.open("full", for: .writing) }
      violations.expect("rmdir of a full one", fails: [.enotempty]) { try volume.removeDirectory("full") }
      violations.expect("rmdir of a file", fails: [.enotdir]) { try volume.removeDirectory("file") }
      violations.expect("rmdir of nothing", fails: [.enoent]) { try volume.removeDirectory("no") }
      violations.expect("unlink of a directory", fails: [.eisdir, .eperm]) { try volume.unlink("full") }
      violations.expect("unlink of nothing", fails: [.enoent]) { try volume.unlink("no") }
      violations.expect("mkdir over a file", fails: [.eexist]) { try volume.makeDirectory("file", permissions: 0o700) }
      violations.expect("mkdir in nothing", fails: [.enoent]) { try volume.makeDirectory("no/d", permissions: 0o700) }
      violations.expect("link over a file", fails: [.eexist]) { try volume.link("full/file", to: "file") }
      violations.expect("link of a directory", fails: [.eperm]) { try volume.link("full", to: "second") }
      violations.expect("link of nothing", fails: [.enoent]) { try volume.link("no", to: "second") }
      violations.expect("the tree", try volume.tree(), is: ["file", "full", "full/file"])
      violations.expect("the file", try volume.bytes(of: "file"), is: Array("kept".utf8))
    },
  ]

  /// What an open file holds, read to its end.
  static func content(of file: OpenFile, in volume: any Volume) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0xEE, count: 4096)
    while true {
      let taken = try piece.withUnsafeMutableBytes { try volume.read(file, at: UInt64(bytes.count), into: $0) }
      if taken == 0 { return bytes }
      bytes += piece[..<taken]
    }
  }
}
