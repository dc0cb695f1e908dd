import Files

extension VolumeContract {
  /// V5, V7: what happens to bytes and attributes.
  static let contentRules: [Rule] = [
    Rule("V5 an unlinked file keeps its bytes until it is closed") { subject, violations in
      let volume = subject.volume
      try volume.make("file", text: "kept")
      let reader = try volume.open("file", for: .reading)
      let writer = try volume.open("file", for: .writing)
      try volume.unlink("file")
      violations.expect("names", try names(in: volume), is: [])
      violations.expect("links", try volume.status(of: reader).links, is: 0)
      try volume.writeWhole(writer, at: 4, Array(" on".utf8))
      violations.expect("the open file", try content(of: reader, in: volume), is: Array("kept on".utf8))
      try volume.make("file", text: "another")
      violations.expect("the open file", try content(of: reader, in: volume), is: Array("kept on".utf8))
      try volume.close(reader)
      try volume.close(writer)
      violations.expect("the new file", try volume.bytes(of: "file"), is: Array("another".utf8))
    },
    Rule("V7 a gap reads as zeros, also after cutting and lengthening") { subject, violations in
      let volume = subject.volume
      let writer = try volume.open("file", for: .creating(permissions: 0o600))
      let reader = try volume.open("file", for: .reading)
      try volume.writeWhole(writer, at: 5, [1, 2, 3])
      violations.expect("behind a gap", try content(of: reader, in: volume), is: [0, 0, 0, 0, 0, 1, 2, 3])
      try volume.truncate(writer, to: 6)
      try volume.truncate(writer, to: 9)
      violations.expect("cut and lengthened", try content(of: reader, in: volume), is: [0, 0, 0, 0, 0, 1, 0, 0, 0])
      try volume.truncate(writer, to: 2)
      try volume.writeWhole(writer, at: 4, [7])
      violations.expect("cut and written behind", try content(of: reader, in: volume), is: [0, 0, 0, 0, 7])
      violations.expect("size", try volume.status(of: reader).size, is: 5)
      var room: [UInt8] = [9, 9, 9, 9]
      let behind = try room.withUnsafeMutableBytes { try volume.read(reader, at: 5, into: $0) }
      let far = try room.withUnsafeMutableBytes { try volume.read(reader, at: 1 << 40, into: $0) }
      let last = try room.withUnsafeMutableBytes { try volume.read(reader, at: 4, into: $0) }
      violations.expect("taken at the end, far behind it, before it", [behind, far, last], is: [0, 0, 1])
      violations.expect("the buffer", room, is: [7, 9, 9, 9])
      let none = try [UInt8]().withUnsafeBytes { try volume.write(writer, at: 100, $0) }
      violations.expect("taken of nothing", none, is: 0)
      violations.expect("size after writing nothing", try volume.status(of: reader).size, is: 5)
      try volume.synchronize(writer)
      try volume.close(writer)
      try volume.close(reader)
    },
    Rule("V7 a large file comes back byte by byte; overwriting begins from nothing") { subject, violations in
      let volume = subject.volume
      let bytes = (0..<300_001).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }
      try volume.make("file", bytes)
      violations.expect(try volume.bytes(of: "file") == bytes, "a file of 300,001 bytes comes back otherwise")
      try volume.replace("file", with: [1, 2])
      violations.expect("overwritten", try volume.bytes(of: "file"), is: [1, 2])
      try volume.replace("new", with: [3])
      violations.expect("made by overwriting", try volume.bytes(of: "new"), is: [3])
      let file = try volume.open("file", for: .writing)
      try volume.writeWhole(file, at: 1, [8, 9])
      try volume.close(file)
      violations.expect("written in place", try volume.bytes(of: "file"), is: [1, 8, 9])
    },
    Rule("the status tells kind, size, names, bits and identity") { subject, violations in
      let volume = subject.volume
      try volume.make("file", [1, 2, 3], permissions: 0o600)
      try volume.makeDirectory("directory", permissions: 0o700)
      try volume.link("file", to: "directory/second")
      let file = try volume.status(at: "file")
      let directory = try volume.status(at: "directory")
      violations.expect("kinds", [file.kind, directory.kind], is: [.regular, .directory])
      violations.expect("size", file.size, is: 3)
      violations.expect("links", file.links, is: 2)
      violations.expect("bits", [file.permissions, directory.permissions & 0o777], is: [0o600, 0o700])
      violations.expect("the second name", try volume.status(at: "directory/second"), is: file)
      violations.expect("one device", directory.device, is: file.device)
      violations.expect(file.inode != directory.inode, "two things have the inode \(file.inode)")
      try volume.unlink("file")
      violations.expect("links after unlink", try volume.status(at: "directory/second").links, is: 1)
      violations.expect("content", try volume.bytes(of: "directory/second"), is: [1, 2, 3])
      violations.expect("status of nothing", fails: [.enoent]) { _ = try volume.status(at: "file") }
      violations.expect("status below a file", fails: [.enotdir]) { _ = try volume.status(at: "directory/second/x") }
    },
    Rule("attributes are set one by one") { subject, violations in
      let volume = subject.volume
      try volume.make("file", [1])
      let file = try volume.open("file", for: .writing)
      let time: Int64 = 1_234_567_890_123_000_000
      try volume.setAttributes(file, permissions: 0o640, modified: time)
      violations.expect("bits", try volume.status(of: file).permissions, is: 0o640)
      violations.expect("time", try volume.status(of: file).modified, is: time)
      try volume.setAttributes(file, permissions: 0o400, modified: nil)
      violations.expect("time as before", try volume.status(of: file).modified, is: time)
      try volume.setAttributes(file, permissions: nil, modified: time + 1_000_000_000)
      violations.expect("bits as before", try volume.status(at: "file").permissions, is: 0o400)
      violations.expect("new time", try volume.status(at: "file").modified, is: time + 1_000_000_000)
      violations.expect("content", try content(of: try volume.open("file", for: .reading), in: volume), is: [1])
      try volume.close(file)
    },
    Rule("a fresh volume has space and tells how much") { subject, violations in
      let free = try subject.volume.freeSpace()
      violations.expect(free.bytes > 0 && free.inodes > 0, "nothing is free: \(free)")
    },
  ]
}
