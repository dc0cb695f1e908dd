import Files
import TestSupport
import Testing

@testable import Archives

@Suite struct ArchiveTests {
  /// A tree on the disk, and the same as archives of each kind.
  private static let tree = """
    rng = random.Random(7)
    for place in range(12):
        os.makedirs(f"tree/a{place % 3}/b", exist_ok=True)
        open(f"tree/a{place % 3}/b/f{place}", "wb").write(rng.randbytes(place * 40_000) + bytes(place * 9000))
    os.makedirs("tree/empty")
    open("tree/nothing", "wb")

    """

  static let kinds: [(name: String, script: String)] = [
    ("zip", "deflated = zipfile.ZIP_DEFLATED"), ("stored.zip", "deflated = zipfile.ZIP_STORED"), ("tar", ""),
    ("tgz", ""), ("tar.gz", ""),
  ]

  private static func pack(_ kind: (name: String, script: String)) -> String {
    if kind.name.hasSuffix("zip") {
      return tree + kind.script + """

        with zipfile.ZipFile("x.\(kind.name)", "w", deflated) as z:
            for folder, folders, files in os.walk("tree"):
                for name in folders + files:
                    path = os.path.join(folder, name)
                    z.write(path, os.path.relpath(path, "tree"))
        """
    }
    let mode = kind.name == "tar" ? "w" : "w:gz"
    return tree + """
      with tarfile.open("x.\(kind.name)", "\(mode)") as t:
          for name in sorted(os.listdir("tree")): t.add("tree/" + name, "./" + name)
      """
  }

  @Test(arguments: kinds.indices) func anArchiveHoldsWhatWasPacked(index: Int) throws {
    let kind = ArchiveTests.kinds[index]
    let bench = try ArchiveWorkbench()
    try bench.python(ArchiveTests.pack(kind))
    let archive = try #require(try bench.read(BytePath("x.\(kind.name)")))
    let expected = try ArchiveWorkbench.picture(of: HostVolume(root: bench.directory.path.appending("tree")))
    #expect(try bench.picture(archive) == expected)
    #expect(archive.account.isWhole)
    #expect(archive.account.held == expected.count)
  }

  @Test(arguments: [0, 1, 200_000, 64 << 20]) func memoryAndFileGiveTheSame(memory: Int) throws {
    let bench = try ArchiveWorkbench()
    try bench.python(ArchiveTests.pack(ArchiveTests.kinds[0]))
    var limits = ArchiveLimits()
    limits.memoryBytesMax = memory
    let archive = try bench.read("x.zip", limits: limits)
    // Nothing stands in the folder of the unnamed file, not even while it is in use.
    #expect(try bench.volume.entries(of: "spool", countMax: 10).isEmpty)
    #expect(
      try bench.picture(archive)
        == ArchiveWorkbench.picture(of: HostVolume(root: bench.directory.path.appending("tree"))))
  }

  @Test func aCutZIPYieldsItsWholeEntriesAndThePartOfTheLast() throws {
    let bench = try ArchiveWorkbench()
    try bench.python(
      """
      rng = random.Random(1)
      names = [f"d/{n}" for n in range(6)]
      with zipfile.ZipFile("x.zip", "w") as z:
          for name in names: z.writestr(name, rng.randbytes(10_000))
          offsets = [i.header_offset for i in z.infolist()]
      whole = open("x.zip", "rb").read()
      header = 30 + len("d/3")
      open("part.zip", "wb").write(whole[:offsets[3] + header + 4321])
      open("border.zip", "wb").write(whole[:offsets[3]])
      open("header.zip", "wb").write(whole[:offsets[3] + 11])
      open("list.zip", "wb").write(whole[:-30])
      open("name.zip", "wb").write(whole[:3])
      """)
    let names = { (archive: Archive?) in try archive?.volume.tree().map(\.description) ?? [] }
    let part = try #require(try bench.read("part.zip"))
    #expect(try names(part) == ["d", "d/0", "d/1", "d/2", "d/3"])
    #expect(part.account.cut == ArchiveAccount.Part(path: "d/3", bytes: 4321, expected: 10_000))
    #expect(try part.volume.bytes(of: "d/3").count == 4321)
    for (name, count) in [("border.zip", 4), ("header.zip", 4), ("list.zip", 7)] as [(BytePath, Int)] {
      let archive = try #require(try bench.read(name))
      #expect(try names(archive).count == count, "\(name)")
      guard case .damaged = archive.account.end else {
        Issue.record("\(name) is called whole")
        continue
      }
      #expect(archive.account.cut == nil)
    }
    #expect(try bench.read("name.zip") == nil)
    #expect(try #require(try bench.read("x.zip")).account.isWhole)
  }

  /// What is written as a stream says how long an entry is behind it, and in the list at the end.
  @Test func ofAStreamedZIPThatIsCutNobodySaysHowMuchIsMissing() throws {
    let bench = try ArchiveWorkbench()
    try bench.python(
      """
      class Stream(io.RawIOBase):
          def writable(self): return True
          def write(self, piece): return file.write(piece)
      with open("x.zip", "wb") as file:
          with zipfile.ZipFile(Stream(), "w", zipfile.ZIP_DEFLATED) as z:
              for n in range(3): z.writestr(f"{n}", random.Random(n).randbytes(10_000))
      whole = open("x.zip", "rb").read()
      open("cut.zip", "wb").write(whole[:15_000])
      """)
    let cut = try #require(try bench.read("cut.zip")).account.cut
    #expect(cut?.path == "1" && cut?.expected == nil)
    #expect(try #require(try bench.read("x.zip")).account.isWhole)
  }

  @Test func aCutTarYieldsItsWholeEntries() throws {
    let bench = try ArchiveWorkbench()
    try bench.python(
      """
      rng = random.Random(1)
      for mode, name in [("w", "x.tar"), ("w:gz", "x.tgz")]:
          with tarfile.open(name, mode) as t:
              for n in range(6):
                  info = tarfile.TarInfo(f"d/{n}"); info.size = 50_000
                  t.addfile(info, io.BytesIO(rng.randbytes(50_000)))
          whole = open(name, "rb").read()
          open("cut." + name[2:], "wb").write(whole[:len(whole) // 2])
      """)
    for name in ["cut.tar", "cut.tgz"] as [BytePath] {
      let archive = try #require(try bench.read(name))
      guard case .damaged = archive.account.end else {
        Issue.record("\(name) is called whole")
        continue
      }
      let files = try archive.volume.tree().filter { $0 != "d" }
      #expect((2...4).contains(files.count), "\(files)")
      for file in files.dropLast() { #expect(try archive.volume.status(at: file).size == 50_000) }
    }
  }

  @Test func anEntryThatDoesNotAgreeIsNamedAndTheRestIsRead() throws {
    let bench = try ArchiveWorkbench()
    try bench.python(
      """
      with zipfile.ZipFile("x.zip", "w") as z:
          for n in range(4): z.writestr(f"{n}", bytes([65 + n]) * 3000)
          offsets = [i.header_offset for i in z.infolist()]
      whole = bytearray(open("x.zip", "rb").read())
      whole[offsets[1] + 31 + 100] ^= 1
      open("x.zip", "wb").write(whole)
      """)
    let archive = try #require(try bench.read("x.zip"))
    #expect(archive.account.damaged.examples == ["1"])
    #expect(archive.account.end == .whole)
    #expect(try archive.volume.tree() == ["0", "1", "2", "3"])
    #expect(try archive.volume.bytes(of: "1").count == 3000)
  }

  @Test func whatIsNoArchiveIsNone() throws {
    let bench = try ArchiveWorkbench()
    try bench.volume.make("empty")
    try bench.volume.make("text", text: String(repeating: "notes, and no archive. ", count: 100))
    try bench.volume.make("zeros", [UInt8](repeating: 0, count: 4096))
    try bench.volume.makeDirectories("folder")
    for name in ["empty", "text", "zeros", "folder"] as [BytePath] { #expect(try bench.read(name) == nil, "\(name)") }
    try bench.directory.makeSymbolicLink(to: "text", at: "link")
    #expect(throws: FileCallError.self) { try bench.read("link") }
    try bench.python("zipfile.ZipFile('nothing.zip', 'w').close()")
    #expect(try #require(try bench.read("nothing.zip")).volume.tree() == [])
  }

  @Test func nobodyCanWriteIt() throws {
    let bench = try ArchiveWorkbench()
    try bench.python("zipfile.ZipFile('x.zip', 'w').writestr('d/f', b'abc')")
    let volume = try #require(try bench.read("x.zip")).volume.wrapped(in: "top")
    #expect(try volume.bytes(of: "top/d/f") == Array("abc".utf8))
    for refused in [
      { _ = try volume.open("top/d/f", for: .writing) },
      { _ = try volume.open("g", for: .creating(permissions: 0o600)) },
      { try volume.unlink("top/d/f") }, { try volume.rename("top", to: "b") },
      { try volume.makeDirectory("b", permissions: 0) },
    ] as [() throws -> Void] {
      #expect { try refused() } throws: { ($0 as? FileCallError)?.errno == .erofs }
    }
    #expect { try volume.open("top/d/f", for: .directory) } throws: { ($0 as? FileCallError)?.errno == .enotdir }
    #expect { try volume.status(at: "top/../x") } throws: { ($0 as? FileCallError)?.errno == .einval }
  }
}
