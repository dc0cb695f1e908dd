import FaultDisk
import Files
import TestSupport
import Testing

/// The same generated calls on the host's volume and on a fault disk: the same answers, the same trees.
@Suite struct DifferentialTests {
  @Test(arguments: [1, 2, 3, 4]) func agreesWithTheHost(seed: UInt64) throws {
    let directory = try TemporaryDirectory()
    var pair = VolumePair(host: try directory.volume(), disk: FaultDisk().volume(), seed: seed)
    pair.drawsAttributes = try pair.hostHasAttributes()
    for step in 0..<1500 {
      let call = pair.nextCall()
      let (host, disk) = pair.perform(call)
      #expect(host == disk, "step \(step), seed \(seed): \(call)")
      if host != disk { return }
      if step % 250 == 249 {
        #expect(try TreeDigest.digest(of: pair.host) == TreeDigest.digest(of: pair.disk), "step \(step), seed \(seed)")
      }
    }
    // The test is worth something only where calls succeed and fail in many ways.
    #expect(pair.answers.count >= 12, "\(pair.answers.sorted())")
    pair.closeAll()
    #expect(try TreeDigest.digest(of: pair.host) == TreeDigest.digest(of: pair.disk))
  }
}

/// One call of a volume, its open files by their place in a list.
enum Call: CustomStringConvertible {
  case open(BytePath, OpenPurpose)
  case close(Int)
  case read(Int, offset: UInt64, count: Int)
  case write(Int, offset: UInt64, [UInt8])
  case truncate(Int, size: UInt64)
  case synchronize(Int)
  case status(BytePath)
  case statusOfOpen(Int)
  case rename(BytePath, BytePath)
  case renameKeeping(BytePath, BytePath)
  case link(BytePath, BytePath)
  case unlink(BytePath)
  case makeDirectory(BytePath)
  case removeDirectory(BytePath)
  case entries(BytePath)
  case lock(Int)
  case setAttributes(Int, permissions: UInt16)
  case setExtended(Int, BytePath, [UInt8])
  case extended(Int, BytePath)
  case extendedNames(Int)

  var description: String {
    switch self {
    case .write(let file, let offset, let bytes): "write(\(file), \(offset), \(bytes.count) bytes)"
    default: "\(Mirror(reflecting: self).children.first.map { "\($0.label ?? "")\($0.value)" } ?? "")"
    }
  }
}

/// Two volumes that get the same calls.
struct VolumePair {
  let host: any Volume
  let disk: any Volume
  /// Whether both have extended attributes.
  var drawsAttributes = false
  var generator: SeededGenerator
  var files: [(host: OpenFile, disk: OpenFile)] = []
  /// The kinds of answer seen, to know that the test is worth something.
  var answers: Set<String> = []

  init(host: any Volume, disk: any Volume, seed: UInt64) {
    self.host = host
    self.disk = disk
    generator = SeededGenerator(seed: seed)
  }

  /// Not every file system of a host has extended attributes.
  func hostHasAttributes() throws -> Bool {
    let file = try host.open(.root, for: .directory)
    defer { try? host.close(file) }
    do throws(FileCallError) {
      _ = try host.setExtendedAttribute("user.probe", of: file, to: [])
      return true
    } catch {
      return false
    }
  }

  private static let paths: [BytePath] = [
    "a", "b", "c", "d", "d/a", "d/b", "d/e", "d/e/a", "e", "e/a", "a/b", "nothing/a", "d/e/f", "d/e/f/a",
  ]

  mutating func nextCall() -> Call {
    let path = pick(VolumePair.paths)
    let file = files.isEmpty ? 0 : Int.random(in: 0..<files.count, using: &generator)
    let offset = UInt64(pick([0, 0, 1, 511, 4096, 5000, 70_000]))
    switch Int.random(in: 0..<(drawsAttributes ? 45 : 40), using: &generator) {
    case 0..<3: return .open(path, .creating(permissions: pick([0o600, 0o644])))
    case 3..<6: return .open(path, .writing)
    case 6..<8: return .open(path, .reading)
    case 8: return .open(path, .directory)
    case 9: return .open(path, .overwriting(permissions: 0o600))
    case 10..<13: return .close(file)
    case 13..<15: return .read(file, offset: offset, count: pick([0, 1, 100, 9000, 80_000]))
    case 15..<20: return .write(file, offset: offset, bytes(count: pick([0, 1, 100, 4096, 9000])))
    case 20..<22: return .truncate(file, size: offset + UInt64(pick([0, 3, 2000])))
    case 22: return .synchronize(file)
    case 23: return .status(path)
    case 24..<26: return .statusOfOpen(file)
    case 26..<29: return .rename(path, pick(VolumePair.paths))
    case 29: return .renameKeeping(path, pick(VolumePair.paths))
    case 30..<32: return .link(path, pick(VolumePair.paths))
    case 32..<34: return .unlink(path)
    case 34..<36: return .makeDirectory(path)
    case 36: return .removeDirectory(path)
    case 37: return .entries(pick(VolumePair.paths + [.root]))
    case 38: return .lock(file)
    case 39: return .setAttributes(file, permissions: pick([0o600, 0o640, 0o700, 0o755]))
    case 40..<43: return .setExtended(file, pick(VolumePair.attributes), bytes(count: pick([0, 1, 100])))
    case 43: return .extended(file, pick(VolumePair.attributes))
    default: return .extendedNames(file)
    }
  }

  private static let attributes: [BytePath] = ["user.a", "user.b", "user.\u{e9}", "user."]

  private mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: 0..<values.count, using: &generator)]
  }

  private mutating func bytes(count: Int) -> [UInt8] {
    let first = UInt8.random(in: 0...255, using: &generator)
    return (0..<count).map { first &+ UInt8(truncatingIfNeeded: $0) }
  }

  /// Both answers as text: what differs between any two file systems is left out.
  mutating func perform(_ call: Call) -> (host: String, disk: String) {
    switch call {
    case .open(let path, let purpose):
      if files.count > 12 { return perform(.close(0)) }
      var opened: [OpenFile] = []
      let (host, disk) = both { volume, _ in
        opened.append(try volume.open(path, for: purpose))
        return "open"
      }
      if opened.count == 2 { files.append((opened[0], opened[1])) }
      return (host, disk)
    case .close(let place):
      if files.isEmpty { return ("", "") }
      let answer = onFile(place) { volume, file in
        try volume.close(file)
        return "closed"
      }
      files.remove(at: place)
      return answer
    default: return files.isEmpty ? performOnPath(call) : performOnFile(call)
    }
  }

  private mutating func performOnFile(_ call: Call) -> (host: String, disk: String) {
    switch call {
    case .read(let file, let offset, let count):
      return onFile(file) { volume, file in
        var buffer = [UInt8](repeating: 0xEE, count: count)
        let taken = try buffer.withUnsafeMutableBytes { try volume.read(file, at: offset, into: $0) }
        return "\(taken): \(buffer.prefix(taken).reduce(UInt64(17)) { ($0 &* 31) &+ UInt64($1) })"
      }
    case .write(let file, let offset, let bytes):
      return onFile(file) { volume, file in
        "\(try bytes.withUnsafeBytes { try volume.write(file, at: offset, $0) })"
      }
    case .truncate(let file, let size):
      return onFile(file) {
        try $0.truncate($1, to: size)
        return "cut"
      }
    case .synchronize(let file):
      return onFile(file) {
        try $0.synchronize($1)
        return "synced"
      }
    case .statusOfOpen(let file): return onFile(file) { VolumePair.text(try $0.status(of: $1)) }
    case .lock(let file):
      return onFile(file) {
        try $0.lockExclusively($1)
        return "locked"
      }
    case .setAttributes(let file, let permissions):
      return onFile(file) {
        try $0.setAttributes($1, permissions: permissions, modified: nil)
        return "set"
      }
    case .setExtended(let file, let name, let value):
      return onFile(file) {
        try $0.setExtendedAttribute(name, of: $1, to: value)
        return "set"
      }
    case .extended(let file, let name): return onFile(file) { "\(try $0.extendedAttribute(name, of: $1))" }
    case .extendedNames(let file): return onFile(file) { "\(try $0.extendedAttributeNames(of: $1))" }
    default: return performOnPath(call)
    }
  }

  private mutating func performOnPath(_ call: Call) -> (host: String, disk: String) {
    both { volume, _ in
      switch call {
      case .status(let path): return VolumePair.text(try volume.status(at: path))
      case .rename(let from, let to): try volume.rename(from, to: to)
      case .renameKeeping(let from, let to): try volume.renameKeeping(from, to: to)
      case .link(let from, let to): try volume.link(from, to: to)
      case .unlink(let path): try volume.unlink(path)
      case .makeDirectory(let path): try volume.makeDirectory(path, permissions: 0o700)
      case .removeDirectory(let path): try volume.removeDirectory(path)
      case .entries(let path):
        return try volume.entries(of: path, countMax: 99).map { "\($0.name) \($0.kind)" }.joined(separator: ", ")
      default: break
      }
      return "done"
    }
  }

  private mutating func onFile(
    _ place: Int, _ body: (any Volume, OpenFile) throws -> String
  ) -> (host: String, disk: String) {
    let file = files[place]
    return both { volume, isHost in try body(volume, isHost ? file.host : file.disk) }
  }

  private mutating func both(_ body: (any Volume, _ isHost: Bool) throws -> String) -> (host: String, disk: String) {
    func answer(_ volume: any Volume, _ isHost: Bool) -> String {
      do {
        return try body(volume, isHost)
      } catch {
        return (error as? FileCallError).map { "\($0.call) \($0.paths): \($0.errno.name)" } ?? "\(error)"
      }
    }
    let answers = (host: answer(host, true), disk: answer(disk, false))
    self.answers.insert(answers.host.split(separator: " ").last.map(String.init) ?? "")
    return answers
  }

  private static func text(_ status: FileStatus) -> String {
    status.kind == .directory
      ? "directory \(status.permissions)" : "\(status.kind) \(status.size) \(status.links) \(status.permissions)"
  }

  mutating func closeAll() {
    for file in files {
      try? host.close(file.host)
      try? disk.close(file.disk)
    }
    files = []
  }
}
