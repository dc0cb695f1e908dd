import Files

extension VolumeContract {
  /// V8: locks.
  static let lockRules: [Rule] = [
    Rule("V8 a lock belongs to its open file and ends with it") { subject, violations in
      let volume = subject.volume
      try volume.makeDirectory("directory", permissions: 0o700)
      try volume.makeDirectory("other", permissions: 0o700)
      let first = try volume.open("directory", for: .directory)
      let second = try volume.open("directory", for: .directory)
      let third = try volume.open("directory", for: .directory)
      let other = try volume.open("other", for: .directory)
      try volume.lockExclusively(first)
      try volume.lockExclusively(first)
      try volume.lockExclusively(other)
      violations.expect("a second lock", fails: [.eagain]) { try volume.lockExclusively(second) }
      try volume.close(third)
      violations.expect("after a stranger's close", fails: [.eagain]) { try volume.lockExclusively(second) }
      // A lock is no obstacle to anything but locks.
      try volume.make("directory/file", text: "x")
      try volume.rename("directory", to: "renamed")
      try volume.close(first)
      try volume.lockExclusively(second)
      let again = try volume.open("renamed", for: .directory)
      violations.expect("by a new name", fails: [.eagain]) { try volume.lockExclusively(again) }
      for file in [second, again, other] { try volume.close(file) }
    }
  ]

  /// V9, V10, V11: open files.
  static let handleRules: [Rule] = [
    Rule("V9 an open file does only what it was opened for") { subject, violations in
      let volume = subject.volume
      try volume.make("file", text: "kept")
      let reader = try volume.open("file", for: .reading)
      let directory = try volume.open(.root, for: .directory)
      for (what, file) in [("a reader", reader), ("a directory", directory)] {
        violations.expect("write to \(what)", fails: [.ebadf, .eisdir]) { try volume.writeWhole(file, [1]) }
        violations.expect("truncate of \(what)", fails: [.ebadf, .einval, .eisdir]) { try volume.truncate(file, to: 0) }
      }
      violations.expect("read of a directory", fails: [.eisdir]) { _ = try content(of: directory, in: volume) }
      violations.expect("the file", try content(of: reader, in: volume), is: Array("kept".utf8))
      try volume.close(reader)
      try volume.close(directory)
    },
    Rule("V11 a content name stands for one content") { subject, violations in
      let volume = subject.volume
      try volume.makeDirectory("folder", permissions: 0o755)
      try volume.make("folder/file", [1, 2, 3])
      let reader = try volume.open("folder/file", for: .reading)
      func names() -> [ContentName?] {
        [volume.contentName(of: reader)] + ["folder/file", "folder", .root].map { volume.named(at: $0)?.name }
      }
      let before = names()
      violations.expect(before[0] == before[1], "an open file and its path have different content names")
      let writer = try volume.open("folder/file", for: .writing)
      try volume.writeWhole(writer, at: 1, [9])
      try volume.close(writer)
      for (before, after) in zip(before, names()) {
        violations.expect(before == nil || before != after, "the name of what was changed stays")
      }
      try volume.close(reader)
      violations.expect(volume.contentName(of: reader) == nil, "a closed file has a content name")
      violations.expect(volume.named(at: "nothing")?.name == nil, "nothing has a content name")
    },
    Rule("V10 a closed file is refused; no number is valid twice") { subject, violations in
      let volume = subject.volume
      try volume.make("file", text: "kept")
      var open: [OpenFile] = []
      for _ in 0..<8 { open.append(try volume.open("file", for: .reading)) }
      violations.expect("different numbers", Set(open).count, is: 8)
      for file in open { try volume.close(file) }
      let closed = open[3]
      let calls: [(String, () throws -> Void)] = [
        ("close", { try volume.close(closed) }),
        ("read", { _ = try content(of: closed, in: volume) }),
        ("write", { try volume.writeWhole(closed, [1]) }),
        ("truncate", { try volume.truncate(closed, to: 0) }),
        ("fsync", { try volume.synchronize(closed) }),
        ("stat", { _ = try volume.status(of: closed) }),
        ("lock", { try volume.lockExclusively(closed) }),
        ("chmod", { try volume.setAttributes(closed, permissions: 0o777, modified: 0) }),
      ]
      for (what, call) in calls { violations.expect("\(what) of a closed file", fails: [.ebadf], call) }
      violations.expect("lock holder of a closed file", volume.lockHolder(of: closed), is: nil)
      violations.expect("the file", try volume.bytes(of: "file"), is: Array("kept".utf8))
      violations.expect("bits", try volume.status(at: "file").permissions, is: 0o600)
    },
  ]
}
