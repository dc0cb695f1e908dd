import Files

/// A call of a workload, as the programs of the measurements made it.
enum WorkloadCall: Sendable {
  /// open(O_CREAT|O_TRUNC), write, close.
  case put(BytePath, UInt8, Int)
  /// Writes at a place, in pieces.
  case write(BytePath, at: Int, UInt8, Int, pieces: Int = 1)
  case append(BytePath, UInt8, Int, times: Int = 1)
  case synchronousWrite(BytePath, at: Int, UInt8, Int, dataOnly: Bool = false)
  case fsync(BytePath)
  case fdatasync(BytePath)
  case syncfs
  case rename(BytePath, BytePath)
  case exchange(BytePath, BytePath)
  case link(BytePath, BytePath)
  case unlink(BytePath)
  case mkdir(BytePath)
  case rmdir(BytePath)
  case symlink(BytePath, BytePath)
  case truncate(BytePath, Int)
  case reserve(BytePath, Int)
  case zero(BytePath, Range<UInt64>)
  case create(BytePath)
}

/// Steps with the names under which the measurements tell them, and what was there before, durable.
struct RealWorkload: Sendable {
  var setUp: [WorkloadCall]
  var steps: [(label: String, calls: [WorkloadCall])]

  init(_ setUp: [WorkloadCall], _ steps: KeyValuePairs<String, [WorkloadCall]>) {
    self.setUp = setUp
    self.steps = steps.map { ($0.key, $0.value) }
  }
}

private let new = 4096 * 3 + 100
private let old = 4096 * 2 + 50
private let n = UInt8(ascii: "n")
private let o = UInt8(ascii: "o")
private let x = UInt8(ascii: "x")
private let unrelated: [WorkloadCall] = [.append("other", UInt8(ascii: "y"), 1), .fsync("other")]
private let st0: [WorkloadCall] = [.put("other", x, 100)]
private let stf = st0 + [.put("f", o, old)]
private let st2 = stf + [.mkdir("A"), .mkdir("B"), .put("A/a", o, old), .put("B/b", o, old)]
private let st64 = st0 + [.put("f", o, 64 * 4096)]
private let st16 = st0 + [.put("f", o, 16 * 4096)]
private let stdoc = st0 + [.mkdir("assets"), .mkdir("pages"), .put("pages/p", o, old)]
private let tmp: [WorkloadCall] = [.put("tmp", n, new)]
private let tmpOver: [WorkloadCall] = [.rename("tmp", "f")]
private let page: [WorkloadCall] = [.put("pages/p.tmp", n, new)]

extension RealWorkload {
  static let all: [String: RealWorkload] = [
    "T01": .init(st0, ["write f": [.put("f", n, new)], "fsync other": unrelated]),
    "T02": .init(stf, ["write tmp": tmp, "rename": tmpOver, "fsync other": unrelated]),
    "T03": .init(st0, ["write tmp": tmp, "rename": tmpOver, "fsync other": unrelated]),
    "T04a": .init(stf, ["write tmp": tmp, "fsync tmp": [.fsync("tmp")], "rename": tmpOver]),
    "T04b": .init(
      stf, ["write tmp": tmp, "fsync tmp": [.fsync("tmp")], "rename": tmpOver, "fsync f": [.fsync("f")]]),
    "T04c": .init(
      stf, ["write tmp": tmp, "fsync tmp": [.fsync("tmp")], "rename": tmpOver, "fsync dir": [.fsync("")]]),
    "T04d": .init(stf, ["write tmp": tmp, "rename": tmpOver, "fsync dir": [.fsync("")]]),
    "T04e": .init(st0, ["write tmp": tmp, "rename": tmpOver, "fsync dir": [.fsync("")]]),
    "T04f": .init(stf, ["write tmp": tmp, "rename": tmpOver, "fsync f": [.fsync("f")]]),
    "T05": .init(
      st0, ["mkdir": [.mkdir("d")], "write": [.put("d/f", n, new)], "fsync d/f": [.fsync("d/f")]]),
    "T06": .init(
      st2, ["rename": [.rename("A/a", "A/a2")], "write x": [.put("B/x", n, new)], "fsync B/x": [.fsync("B/x")]]),
    "T07": .init(stf, ["unlink": [.unlink("f")], "write g": [.put("g", n, new)], "fsync g": [.fsync("g")]]),
    "T07b": .init(
      st2, ["unlink": [.unlink("A/a")], "write g": [.put("B/g", n, new)], "fsync g": [.fsync("B/g")]]),
    "T08": .init(st0, ["write": [.put("f", n, new)], "link": [.link("f", "l")], "fsync f": [.fsync("f")]]),
    "T08b": .init(st2, ["link": [.link("f", "A/l")], "fsync f": [.fsync("f")]]),
    "T09": .init(stf, ["append": [.append("f", n, 10000)], "fsync other": unrelated]),
    "T10": .init(stf, ["overwrite": [.write("f", at: 0, n, 8192)], "fsync other": unrelated]),
    "T10b": .init(stf, ["overwrite": [.write("f", at: 0, n, 8192)], "fsync f": [.fsync("f")]]),
    "T11": .init(stf, ["trunc+write": [.put("f", n, new)], "fsync other": unrelated]),
    "T11b": .init(stf, ["trunc+write": [.put("f", n, new)], "fsync other": unrelated, "close": []]),
    "T12": .init(st2, ["rename": [.rename("A/a", "B/a2")], "fsync B": [.fsync("B")]]),
    "T12b": .init(st2, ["rename": [.rename("A/a", "B/a2")], "fsync A": [.fsync("A")]]),
    "T12c": .init(st2, ["rename": [.rename("A/a", "B/b")], "fsync A": [.fsync("A")]]),
    "T13": .init(st2, ["write": [.put("A/n", n, new)], "fsync A": [.fsync("A")]]),
    "T14": .init(st2, ["rename": [.rename("A", "C")], "fsync C": [.fsync("C")]]),
    "T14b": .init(st2, ["rename": [.rename("A", "C")], "fsync C/a": [.fsync("C/a")]]),
    "T14c": .init(
      st2, ["rename": [.rename("A", "C")], "write": [.put("C/x", n, new)], "fsync C/x": [.fsync("C/x")]]),
    "T15": .init(stf, ["symlink": [.symlink("f", "s")], "fsync dir": [.fsync("")]]),
    "T15b": .init(
      stf, ["symlink": [.symlink("f", "s")], "write": [.put("g", n, new)], "fsync g": [.fsync("g")]]),
    "T16": .init(stf, ["append+fdatasync": [.append("f", n, 10000), .fdatasync("f")]]),
    "T17": .init(stf, ["O_SYNC write": [.create("g"), .synchronousWrite("g", at: 0, n, new)]]),
    "T17b": .init(stf, ["O_DSYNC write": [.create("g"), .synchronousWrite("g", at: 0, n, new, dataOnly: true)]]),
    "T18": .init(stf, ["msync": [.write("f", at: 0, n, 4096), .fsync("f")]]),
    "T19": .init(
      st0,
      ["falloc+write": [.create("g"), .reserve("g", 16384), .write("g", at: 4096, n, 4096)], "fsync other": unrelated]),
    "T20": .init(stf, ["cfr": [.create("g"), .write("g", at: 0, o, old)], "fsync other": unrelated]),
    "T21": .init(
      stf + [.put("a", o, old), .put("c", o, old)],
      ["r1": [.rename("a", "b")], "r2": [.rename("c", "d")], "fsync d": [.fsync("d")]]),
    "T22": .init(
      st2, ["r1": [.rename("A/a", "A/a2")], "r2": [.rename("B/b", "B/b2")], "fsync b2": [.fsync("B/b2")]]),
    "T23": .init(stf, ["unlink": [.unlink("f")], "write f": [.put("f", n, new)], "fsync f": [.fsync("f")]]),
    "T24": .init(stf, ["write tmp": tmp, "rename": tmpOver, "syncfs": [.syncfs]]),
    "T25": .init(st0, ["mkdir": [.mkdir("d")], "fsync d": [.fsync("d")]]),
    "T26": .init(
      stf, ["write g": [.put("g", n, new)], "exchange": [.exchange("f", "g")], "fsync dir": [.fsync("")]]),
    "T30": .init(st0, ["write": [.put("f", n, 64 * 4096)], "wb 32-47": [], "commit": unrelated]),
    "T30b": .init(st0, ["write": [.put("f", n, 64 * 4096)], "wb 0-15": [], "commit": unrelated]),
    "T30-4k": .init(
      st0, ["write": [.create("f"), .write("f", at: 0, n, 64 * 4096, pieces: 64)], "commit": unrelated]),
    "T30b-4k": .init(
      st0, ["write": [.create("f"), .write("f", at: 0, n, 64 * 4096, pieces: 64)], "commit": unrelated]),
    "T30c-4k": .init(
      st0,
      [
        "write": [.create("t"), .write("t", at: 0, n, 64 * 4096, pieces: 64)], "ren": [.rename("t", "f")],
        "commit": unrelated,
      ]),
    "T31": .init(st64, ["ow": [.write("f", at: 0, n, 64 * 4096)], "fsync f": [.fsync("f")]]),
    "T31b": .init(st64, ["ow": [.write("f", at: 0, n, 64 * 4096)], "wb": [], "commit": unrelated]),
    "T31-4k": .init(st64, ["ow": [.write("f", at: 0, n, 64 * 4096, pieces: 64)], "fsync f": [.fsync("f")]]),
    "T31b-4k": .init(st64, ["ow": [.write("f", at: 0, n, 64 * 4096, pieces: 64)], "commit": unrelated]),
    "T32": .init(stf, ["append": [.append("f", n, 100, times: 5)], "fsync other": unrelated]),
    "T33": .init(
      stf,
      [
        "append": [
          .append("f", n, 100), .fdatasync("f"), .append("f", n, 100), .fdatasync("f"), .append("f", n, 100),
          .fdatasync("f"),
        ]
      ]),
    "T34": .init(stf, ["trunc": [.truncate("f", 100)], "commit": unrelated]),
    "T35": .init(stf, ["trunc": [.truncate("f", 100)], "ext": [.truncate("f", 8000)], "commit": unrelated]),
    "T36-4k": .init(st16, ["ap": [.write("f", at: 16 * 4096, n, 48 * 4096, pieces: 48)], "commit": unrelated]),
    "T41": .init(
      stdoc,
      [
        "asset": [.put("assets/x", n, new)], "p.tmp": page, "fsync p.tmp": [.fsync("pages/p.tmp")],
        "rename": [.rename("pages/p.tmp", "pages/p")], "fsync page": [.fsync("pages/p")],
      ]),
    "T41b": .init(
      stdoc,
      [
        "asset": [.put("assets/x.tmp", n, new)], "aren": [.rename("assets/x.tmp", "assets/x")], "p.tmp": page,
        "fsync p.tmp": [.fsync("pages/p.tmp")], "rename": [.rename("pages/p.tmp", "pages/p")],
        "fsync page": [.fsync("pages/p")],
      ]),
    "T42": .init(
      stdoc,
      [
        "asset": [.put("assets/x.tmp", n, new)], "afsync": [.fsync("assets/x.tmp")],
        "aren": [.rename("assets/x.tmp", "assets/x")], "p.tmp": page, "fsync p.tmp": [.fsync("pages/p.tmp")],
        "rename": [.rename("pages/p.tmp", "pages/p")], "fsync pages": [.fsync("pages")],
      ]),
    "T43": .init(
      stdoc + [.put("doc", o, old)],
      [
        "asset": [.put("assets/x.tmp", n, new)], "aren": [.rename("assets/x.tmp", "assets/x")], "p.tmp": page,
        "rename": [.rename("pages/p.tmp", "pages/p")], "d.tmp": [.put("doc.tmp", n, new)],
        "drename": [.rename("doc.tmp", "doc")], "commit": unrelated,
      ]),
    "T44": .init(st2, ["rename": [.rename("A/a", "B/b")], "fsync B": [.fsync("B")]]),
    "T45": .init(st2, ["rename": [.rename("A/a", "B/a2")], "fsync a2": [.fsync("B/a2")]]),
    "T46": .init(stf, ["rename": [.rename("f", "g")], "create f": [.put("f", n, new)], "fsync f": [.fsync("f")]]),
    "T47": .init(stf, ["unlink": [.unlink("f")], "fsync dir": [.fsync("")]]),
    "T48": .init(
      stf,
      [
        "link": [.link("f", "f.bak")], "tmp": tmp, "fsync tmp": [.fsync("tmp")], "rename": tmpOver,
        "fsync f": [.fsync("f")],
      ]),
    "T49": .init(
      st0, ["mk": [.mkdir("X"), .mkdir("X/Y")], "w": [.put("X/Y/f", n, new)], "fsync f": [.fsync("X/Y/f")]]),
    "T50": .init(
      stf,
      ["w": [.put("g", n, new)], "fsync g": [.fsync("g")], "trunc0": [.truncate("g", 0)], "commit": unrelated]),
    "T51": .init(
      st0 + [.create("g")],
      ["osync": [.write("g", at: 0, n, 50000), .synchronousWrite("g", at: 10, UInt8(ascii: "s"), 300)]]),
    "T52": .init(st0, ["open": [.create("g")]]),
    "T53": .init(stf, ["open": [.truncate("f", 0)]]),
    "T54": .init(st0, ["w": [.put("g", n, new)], "fdatasync": [.fdatasync("g")]]),
    "T54b": .init(st0, ["w": [.create("g")], "fdatasync": [.fdatasync("g")]]),
    "T54c": .init(
      stf, ["w": tmp, "fsync tmp": [.fsync("tmp")], "ren": tmpOver, "fdatasync": [.fdatasync("f")]]),
    "T55": .init(stf, ["link": [.link("f", "l")], "fsync l": [.fsync("l")]]),
    "T56": .init(stf + [.link("f", "l")], ["unlink l": [.unlink("l")], "fsync f": [.fsync("f")]]),
    "T57": .init(st2, ["mkdir": [.mkdir("d")], "ren": [.rename("A/a", "d/a")], "fsync d": [.fsync("d")]]),
    "T58": .init(stf, ["fds": [.fdatasync("f")]]),
    "T59": .init(
      st0, ["msync": [.create("g"), .truncate("g", 8192), .write("g", at: 0, n, 8192), .fsync("g")]]),
    "T59b": .init(stf, ["mm": [.write("f", at: 0, n, 8192)], "fsync other": unrelated]),
    "T60": .init(
      st2, ["ren": [.rename("A/a", "B/a2")], "fsync A": [.fsync("A")], "fsync B": [.fsync("B")]]),
    "T61": .init(st2, ["unlink": [.unlink("f")], "fsync B": [.fsync("B")]]),
    "T62": .init(st2, ["ren": [.rename("B/b", "A/b")], "rmdir": [.rmdir("B")], "fsync A": [.fsync("A")]]),
    "T63": .init(
      stf, ["bak": [.rename("f", "f.bak")], "new": [.put("f", n, new)], "fsync dir": [.fsync("")]]),
    "T64": .init(
      stf + tmp,
      ["fsync tmp": [.fsync("tmp")], "unlink": [.unlink("f")], "ren": tmpOver, "fsync dir": [.fsync("")]]),
  ]
}
