import Archives
import Files
import TestSupport
import Testing

/// Archives that want to do harm: they are told, and nothing happens.
@Suite struct HostileArchiveTests {
  @Test func namesThatLeadOutside() throws {
    let bench = try ArchiveWorkbench()
    try bench.python(
      """
      with zipfile.ZipFile("x.zip", "w") as z:
          for name in ["../out", "a/../../out", "a/..", "/etc/out", "./b//c", "n" * 300, "d/" * 70 + "e", "ok"]:
              z.writestr(zipfile.ZipInfo(name), b"abc")
      """)
    let archive = try #require(try bench.read("x.zip"))
    #expect(try archive.volume.tree() == ["b", "b/c", "etc", "etc/out", "ok"])
    #expect(archive.account.outside.count == 5)
    #expect(archive.account.absolute.examples == ["/etc/out"])
    #expect(try bench.directory.volume().entries(of: .root, countMax: 9).map(\.name) == ["spool", "x.zip"])
  }

  @Test func linksDevicesAndPipesAreValuesOnly() throws {
    let bench = try ArchiveWorkbench()
    try bench.python(
      """
      kinds = {"link": tarfile.SYMTYPE, "pipe": tarfile.FIFOTYPE, "disk": tarfile.BLKTYPE, "tty": tarfile.CHRTYPE}
      with tarfile.open("x.tar", "w") as t:
          info = tarfile.TarInfo("file"); info.size = 3; t.addfile(info, io.BytesIO(b"abc"))
          for name, kind in kinds.items():
              info = tarfile.TarInfo(name); info.type = kind; info.linkname = "/etc/passwd"; t.addfile(info)
          for name, target in [("hard", "file"), ("away", "/etc/passwd"), ("up", "../../etc/passwd"), ("self", "self")]:
              info = tarfile.TarInfo(name); info.type = tarfile.LNKTYPE; info.linkname = target; t.addfile(info)
          info = tarfile.TarInfo("link/under"); info.size = 1; t.addfile(info, io.BytesIO(b"x"))
      with zipfile.ZipFile("x.zip", "w") as z:
          info = zipfile.ZipInfo("link"); info.create_system = 3; info.external_attr = 0o120777 << 16
          z.writestr(info, "/etc/passwd")
      """)
    let archive = try #require(try bench.read("x.tar"))
    let volume = archive.volume
    let kinds = try volume.tree().map { try volume.status(at: $0).kind }
    #expect(try volume.tree() == ["disk", "file", "hard", "link", "pipe", "tty"])
    #expect(kinds == [.blockDevice, .regular, .regular, .symbolicLink, .fifo, .characterDevice])
    #expect(try volume.bytes(of: "hard") == Array("abc".utf8))
    #expect(archive.account.damaged.examples == ["away", "up", "self"])
    #expect(archive.account.doubled.examples == ["link/under"])
    for path in ["disk", "link", "pipe", "tty"] as [BytePath] {
      #expect(throws: FileCallError.self) { try volume.open(path, for: .reading) }
    }
    #expect(try #require(try bench.read("x.zip")).volume.status(at: "link").kind == .symbolicLink)
  }

  @Test func bombs() throws {
    let bench = try ArchiveWorkbench()
    try bench.python(
      """
      with zipfile.ZipFile("many.zip", "w", zipfile.ZIP_DEFLATED) as z:
          for n in range(20): z.writestr(f"{n:02}", bytes(1 << 20))
      with zipfile.ZipFile("one.zip", "w", zipfile.ZIP_DEFLATED) as z:
          z.writestr("before", b"abc"); z.writestr("large", bytes(1 << 20)); z.writestr("behind", b"def")
      # An entry of 8 EiB that is one hole.
      with tarfile.open("hole.tar", "w", format=tarfile.GNU_FORMAT) as t:
          info = tarfile.TarInfo("hole"); info.type = tarfile.GNUTYPE_SPARSE; info.size = 512
          head = bytearray(info.tobuf(tarfile.GNU_FORMAT))
          head[386:398] = b"%011o\\0" % 0; head[398:410] = b"%011o\\0" % 512
          head[483:495] = b"\\x80" + b"\\0" * 3 + struct.pack(">Q", 1 << 62)
          head[148:156] = b" " * 8; head[148:156] = b"%06o\\0 " % sum(head)
          t.fileobj.write(bytes(head) + b"x" * 512)
      """)
    var limits = ArchiveLimits()
    limits.unpackedBytesMax = 5 << 20
    let many = try #require(try bench.read("many.zip", limits: limits))
    #expect(many.account.end == .tooLarge(limit: 5 << 20))
    #expect(try many.volume.tree() == ["00", "01", "02", "03", "04"])
    limits = ArchiveLimits()
    limits.entryBytesMax = 1000
    let one = try #require(try bench.read("one.zip", limits: limits))
    #expect(try one.volume.tree() == ["before", "behind", "large"])
    #expect(try one.volume.status(at: "large").size > 1000)
    #expect { try one.volume.open("large", for: .reading) } throws: { ($0 as? FileCallError)?.errno == .efbig }
    let hole = try bench.read("hole.tar")
    #expect(try hole?.volume.status(at: "hole").size ?? 1 << 62 >= 1 << 62)
  }

  @Test func aMillionEntries() throws {
    let bench = try ArchiveWorkbench()
    try bench.python(
      """
      with tarfile.open("x.tar.gz", "w:gz", compresslevel=1) as t:
          block = tarfile.TarInfo("n" * 90).tobuf()
          t.fileobj.write(block * 20_000)
      """)
    var limits = ArchiveLimits()
    limits.entriesMax = 500
    let archive = try #require(try bench.read("x.tar.gz", limits: limits))
    #expect(archive.account.end == .tooMany(limit: 500))
    #expect(archive.account.doubled.count == 499)
    limits = ArchiveLimits()
    limits.nameBytesMax = 9000
    #expect(try #require(try bench.read("x.tar.gz", limits: limits)).account.held == 101)
  }

  @Test func doubledNamesKeepTheLaterWholeOne() throws {
    let bench = try ArchiveWorkbench()
    try bench.python(
      """
      import warnings; warnings.simplefilter("ignore")
      with zipfile.ZipFile("x.zip", "w") as z:
          for text in [b"first", b"second"]: z.writestr("a", text)
          z.writestr("b", b"whole"); z.writestr("b", b"cut away")
          z.writestr("d/f", b"1"); z.writestr("d", b"2"); z.writestr("a/g", b"3")
          end = z.infolist()[3].header_offset
      whole = open("x.zip", "rb").read()
      open("cut.zip", "wb").write(whole[:end + 30 + 1 + 3])
      """)
    let archive = try #require(try bench.read("x.zip"))
    #expect(try archive.volume.tree() == ["a", "b", "d", "d/f"])
    #expect(try archive.volume.bytes(of: "a") == Array("second".utf8))
    #expect(archive.account.doubled.count == 4)
    let cut = try #require(try bench.read("cut.zip"))
    #expect(try cut.volume.bytes(of: "b") == Array("whole".utf8))
  }

  @Test func namesOfAnyBytes() throws {
    let bench = try ArchiveWorkbench()
    try bench.python(
      """
      with tarfile.open("x.tar", "w", format=tarfile.GNU_FORMAT, errors="surrogateescape") as t:
          for name in [b"\\xff\\xfe", "Füße".encode(), b"a\\nb"]:
              t.addfile(tarfile.TarInfo(os.fsdecode(name)))
      with zipfile.ZipFile("x.zip", "w") as z: z.writestr("Füße", b"")
      """)
    let names = try #require(try bench.read("x.tar")).volume.tree()
    #expect(names == ["Füße", "a\nb", BytePath(bytes: [0xFF, 0xFE])])
    #expect(try #require(try bench.read("x.zip")).volume.tree() == ["Füße"])
  }

  @Test func whatAPasswordLocksIsNotRead() throws {
    let bench = try ArchiveWorkbench()
    try bench.python(
      """
      with zipfile.ZipFile("x.zip", "w") as z:
          z.writestr("open", b"abc"); z.writestr("locked", b"secret" * 9)
          start = z.infolist()[1].header_offset
      whole = bytearray(open("x.zip", "rb").read())
      whole[start + 6] |= 1
      last = whole.rfind(b"PK\\x01\\x02"); whole[last + 8] |= 1
      open("x.zip", "wb").write(whole)
      """)
    let archive = try #require(try bench.read("x.zip"))
    #expect(archive.account.encrypted.examples == ["locked"])
    #expect { try archive.volume.open("locked", for: .reading) } throws: { ($0 as? FileCallError)?.errno == .eacces }
    #expect(try archive.volume.bytes(of: "open") == Array("abc".utf8))
  }

  @Test func twinsOfMacOSAreLeftOutInSilence() throws {
    let bench = try ArchiveWorkbench()
    try bench.python(
      """
      with zipfile.ZipFile("x.zip", "w") as z:
          for name in ["N/a", "__MACOSX/N/._a", "__MACOSX/._N", "N/._b", "N/__MACOSX/c"]: z.writestr(name, b"abc")
      """)
    let archive = try #require(try bench.read("x.zip"))
    #expect(try archive.volume.tree() == ["N", "N/a"])
    #expect(archive.account.isWhole)
  }
}
