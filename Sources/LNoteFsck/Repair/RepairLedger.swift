import Files
import JSON

/// The ledger of a repair, `index.jsonl`: a line for each change, on the disk before the change is made.
///
///     key              meaning
///     event            "aside", "put" or "folder"
///     path             where in the package, also "path_b64" where it is no valid UTF-8
///     aside            of "aside": the name in the ledger's own folder that it was given
///     kind             what stood there, or stands there after a "put"
///     bytes, xxh3-128  of a file
///     at, code, why    when, because of which problem, in words
///     from, to, undo   of "aside": for whoever reads it
struct LedgerLine: Hashable {
  enum Event: Hashable {
    /// What stood at the path got this name in the folder of the ledger.
    case aside(BytePath)
    /// A file was put there.
    case put
    /// A folder was made there.
    case folder
  }

  let event: Event
  let path: BytePath
  /// What was set aside, or what was put there.
  let state: PlaceState

  init(_ event: Event, _ path: BytePath, _ state: PlaceState) {
    self.event = event
    self.path = path
    self.state = state
  }

  /// What the line says for programs.
  var members: [String: JSONValue] {
    var members = state.members
    members.add("path", path)
    switch event {
    case .aside(let name):
      members["event"] = "aside"
      members.add("aside", name)
    case .put: members["event"] = "put"
    case .folder: members["event"] = "folder"
    }
    return members
  }

  /// The line of these members; nil where it is none.
  init?(_ members: JSONValue) {
    guard let path = members.path("path"), let state = PlaceState(members) else { return nil }
    switch members["event"]?.string {
    case "aside":
      guard let name = members.path("aside") else { return nil }
      self.init(.aside(name), path, state)
    case "put": self.init(.put, path, state)
    case "folder": self.init(.folder, path, state)
    default: return nil
    }
  }

  /// The lines of a ledger; nil where one of them is none.
  ///
  /// Each line was synced before the next was begun, so only the last one may be torn: what it was to tell was never
  /// done. Its end may be there without its beginning.
  static func read(_ bytes: [UInt8]) -> [LedgerLine]? {
    var lines: [LedgerLine] = []
    let texts = bytes.split(separator: UInt8(ascii: "\n"))
    for (place, text) in texts.enumerated() {
      guard let value = try? JSONValue.parse(Array(text)), let line = LedgerLine(value) else {
        return place == texts.count - 1 ? lines : nil
      }
      lines.append(line)
    }
    return lines
  }
}

/// What stands at a path, as far as an undo compares it.
enum PlaceState: Hashable {
  case nothing
  case file(digest: String, bytes: UInt64)
  /// A folder, link, FIFO, socket or device: only its kind is compared.
  case other(FileKind)

  /// True for a file, whose bytes are compared.
  var isFile: Bool { if case .file = self { true } else { false } }

  var members: [String: JSONValue] {
    switch self {
    case .nothing: ["kind": "nothing"]
    case .file(let digest, let bytes):
      ["kind": "regular", "xxh3-128": .string(digest), "bytes": .integer(Int64(clamping: bytes))]
    case .other(let kind): ["kind": .string(kind.rawValue)]
    }
  }

  init?(_ members: JSONValue) {
    if members["kind"]?.string == "nothing" {
      self = .nothing
      return
    }
    guard let kind = members["kind"]?.string.flatMap({ FileKind(rawValue: $0) }) else { return nil }
    if kind != .regular {
      self = .other(kind)
    } else if let digest = members["xxh3-128"]?.string,
      let bytes = members["bytes"]?.integer.flatMap({ UInt64(exactly: $0) })
    {
      self = .file(digest: digest, bytes: bytes)
    } else {
      return nil
    }
  }
}

extension Volume {
  /// What stands at the path.
  func state(at path: BytePath) throws(FileCallError) -> PlaceState {
    guard let kind = try kind(at: path) else { return .nothing }
    if kind != .regular { return .other(kind) }
    let (digest, bytes) = try digest(of: path)
    return .file(digest: digest, bytes: bytes)
  }
}

extension JSONValue {
  /// The path under this key, or its bytes under `key_b64`.
  func path(_ key: String) -> BytePath? {
    if let text = self[key + "_b64"]?.string { return bytes(base64: text).map { BytePath(bytes: $0) } }
    return self[key]?.string.map { BytePath($0) }
  }
}
