import Files

extension VolumeContract {
  private static let linkErrors: [Errno] = [.eloop, .enotdir]

  /// V1 and V2: links and things that are neither file nor directory.
  static let linkRules: [Rule] = [
    Rule("V1 no call follows a link at the end of its path") { subject, violations in
      guard let makeSymbolicLink = subject.makeSymbolicLink else { return }
      let volume = subject.volume
      try volume.make("file", text: "kept")
      try volume.makeDirectory("directory", permissions: 0o700)
      try makeSymbolicLink("file", "to-file")
      try makeSymbolicLink("directory", "to-directory")
      try makeSymbolicLink("nothing", "to-nothing")
      for path: BytePath in ["to-file", "to-directory", "to-nothing"] {
        for purpose: OpenPurpose in [.reading, .writing, .directory, .overwriting(permissions: 0o600)] {
          violations.expect("open \(path) for \(purpose)", fails: linkErrors) {
            try volume.close(try volume.open(path, for: purpose))
          }
        }
        violations.expect("open \(path) for creating", fails: linkErrors + [.eexist]) {
          try volume.close(try volume.open(path, for: .creating(permissions: 0o600)))
        }
        violations.expect("entries of \(path)", fails: linkErrors) { _ = try volume.entries(of: path, countMax: 9) }
        violations.expect("rmdir \(path)", fails: [.enotdir]) { try volume.removeDirectory(path) }
        violations.expect("mkdir \(path)", fails: [.eexist]) { try volume.makeDirectory(path, permissions: 0o700) }
        violations.expect("kind of \(path)", try volume.status(at: path).kind, is: .symbolicLink)
      }
      violations.expect(
        "names", try names(in: volume), is: ["directory", "file", "to-directory", "to-file", "to-nothing"])
      violations.expect("what the link points at", try volume.bytes(of: "file"), is: Array("kept".utf8))
      try volume.rename("to-file", to: "moved")
      violations.expect("kind of a renamed link", try volume.status(at: "moved").kind, is: .symbolicLink)
      try volume.unlink("moved")
      try volume.unlink("to-directory")
      violations.expect("names", try names(in: volume), is: ["directory", "file", "to-nothing"])
    },
    Rule("V1 no call follows a link in the middle of its path") { subject, violations in
      guard let makeSymbolicLink = subject.makeSymbolicLink else { return }
      let volume = subject.volume
      try volume.make("real/deep/file", text: "kept")
      try volume.make("other", text: "other")
      try makeSymbolicLink("real", "link")
      try makeSymbolicLink("deep", "real/link")
      for path: BytePath in ["link/deep/file", "real/link/file"] {
        for (what, call) in calls(on: path, of: volume) {
          violations.expect("\(what) \(path)", fails: linkErrors, call)
        }
      }
      violations.expect(
        "the tree", try volume.tree(), is: ["link", "other", "real", "real/deep", "real/deep/file", "real/link"])
      violations.expect("the file behind the links", try volume.bytes(of: "real/deep/file"), is: Array("kept".utf8))
    },
    Rule("V2 open never blocks at a FIFO") { subject, violations in
      guard let makeFIFO = subject.makeFIFO else { return }
      let volume = subject.volume
      try makeFIFO("fifo")
      violations.expect("kind", try volume.status(at: "fifo").kind, is: .fifo)
      // To open it for reading may succeed or fail, it only must not wait for a writer.
      if let file = try? volume.open("fifo", for: .reading) {
        violations.expect("kind when open", try volume.status(of: file).kind, is: .fifo)
        try volume.close(file)
      }
      violations.expect("open for writing", fails: [.enxio]) {
        try volume.close(try volume.open("fifo", for: .writing))
      }
      violations.expect("open as a directory", fails: [.enotdir]) {
        try volume.close(try volume.open("fifo", for: .directory))
      }
    },
  ]

  /// What a path may be, before anything is looked up.
  static let pathRules: [Rule] = [
    Rule("paths other than names between single slashes are refused") { subject, violations in
      let volume = subject.volume
      try volume.make("a/b", text: "kept")
      let bad: [BytePath] = [
        ".", "..", "a/..", "a/.", "./a", "../a", "a/../a/b", "/a", "a/", "a//b", "/", BytePath(bytes: [0x61, 0]),
      ]
      for path in bad {
        for (what, call) in calls(on: path, of: volume) {
          violations.expect("\(what) '\(path)'", fails: [.einval], call)
        }
      }
      violations.expect("the tree", try volume.tree(), is: ["a", "a/b"])
    },
    Rule("a name has up to 255 bytes, of any value but 0 and the slash") { subject, violations in
      let volume = subject.volume
      let long = BytePath(bytes: Array(repeating: 0x61, count: 255))
      let longer = BytePath(bytes: Array(repeating: 0x61, count: 256))
      let odd = BytePath(bytes: [0xFF, 0x0A, 0x20, 0xC3, 0x28, 0x5C, 0x7F])
      // One text for people, two names for the kernel.
      let (composed, decomposed) = (BytePath("\u{E9}"), BytePath("e\u{301}"))
      for name in [long, odd, composed, decomposed] { try volume.make(name, name.bytes) }
      for (what, call) in calls(on: longer, of: volume) {
        violations.expect("\(what) of 256 bytes", fails: [.enametoolong], call)
      }
      violations.expect("names", try names(in: volume), is: [long, decomposed, composed, odd])
      for name in [long, odd, composed, decomposed] {
        violations.expect("content of \(name.bytes)", try volume.bytes(of: name), is: name.bytes)
      }
    },
    Rule("the root is a directory that cannot be made, moved or removed") { subject, violations in
      let volume = subject.volume
      try volume.make("a")
      violations.expect("kind", try volume.status(at: .root).kind, is: .directory)
      violations.expect("mkdir", fails: [.eexist]) { try volume.makeDirectory(.root, permissions: 0o700) }
      violations.expect("rmdir", fails: [.ebusy]) { try volume.removeDirectory(.root) }
      violations.expect("rename", fails: [.ebusy]) { try volume.rename(.root, to: "b") }
      violations.expect("rename over it", fails: [.ebusy]) { try volume.rename("a", to: .root) }
      violations.expect("unlink", fails: [.ebusy, .eisdir, .eperm]) { try volume.unlink(.root) }
      let root = try volume.open(.root, for: .directory)
      violations.expect("kind when open", try volume.status(of: root).kind, is: .directory)
      try volume.synchronize(root)
      try volume.close(root)
      violations.expect("names", try names(in: volume), is: ["a"])
    },
  ]

  /// Every call that takes a path, on this one; other paths it takes are good.
  private static func calls(on path: BytePath, of volume: any Volume) -> [(what: String, call: () throws -> Void)] {
    let purposes: [OpenPurpose] = [
      .reading, .writing, .directory, .creating(permissions: 0o600), .overwriting(permissions: 0o600),
    ]
    return purposes.map { purpose in
      ("open for \(purpose)", { try volume.close(try volume.open(path, for: purpose)) })
    } + [
      ("stat", { _ = try volume.status(at: path) }),
      ("readdir", { _ = try volume.entries(of: path, countMax: 9) }),
      ("mkdir", { try volume.makeDirectory(path, permissions: 0o700) }),
      ("rmdir", { try volume.removeDirectory(path) }),
      ("unlink", { try volume.unlink(path) }),
      ("rename", { try volume.rename(path, to: "elsewhere") }),
      ("rename to", { try volume.rename("other", to: path) }),
      ("renameKeeping", { try volume.renameKeeping(path, to: "elsewhere") }),
      ("renameKeeping to", { try volume.renameKeeping("other", to: path) }),
      ("link", { try volume.link(path, to: "elsewhere") }),
      ("link to", { try volume.link("other", to: path) }),
    ]
  }

  /// The names in a directory, as `entries` gives them.
  static func names(in volume: any Volume, _ directory: BytePath = .root) throws -> [BytePath] {
    try volume.entries(of: directory, countMax: 1000).map(\.name)
  }
}
