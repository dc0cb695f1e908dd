import JSON

/// A record of its own file: `document.json` or `manifest.json`.
protocol FileRecord: Hashable, Sendable {
  /// The record of the file's object.
  init(file: JSONValue) throws(RecordFault)
  /// The file's object, without checksum.
  var fileMembers: [String: JSONValue] { get }
}

extension FileRecord {
  /// The file's bytes, with their checksum.
  var sealedBytes: [UInt8] {
    var members = fileMembers
    members["checksum"] = nil
    return RecordChecksum.sealed(JSONValue.object(members).serialized(indent: 2))
  }

  /// What these bytes are.
  static func reading(_ bytes: [UInt8]) -> RecordReading<Self> {
    func outcome(_ condition: RecordCondition, _ record: Self? = nil) -> RecordReading<Self> {
      RecordReading(condition: condition, record: record)
    }
    if bytes.isEmpty { return outcome(.zeroLength) }
    if bytes.count > RecordLimits.bytesMax { return outcome(.tooLarge) }
    if bytes[0] == 0, bytes.allSatisfy({ $0 == 0 }) { return outcome(.nulFilled) }
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue.parse(bytes, depthMax: RecordLimits.depthMax)
    } catch {
      return outcome(.notJSON(error))
    }
    let checksum = RecordChecksum.check(bytes)
    if case .differs(let written, let computed) = checksum {
      return outcome(.checksumDiffers(written: written, computed: computed), try? Self(file: value))
    }
    if case .integer(let version)? = value["formatVersion"], version != 1 { return outcome(.versionUnknown(version)) }
    do throws(RecordFault) {
      return outcome(checksum == .fits ? .whole : .unverified, try Self(file: value))
    } catch {
      return outcome(.fieldFault(error))
    }
  }
}

extension RecordFields {
  /// Takes the format version, which must be 1.
  mutating func takeVersion() throws(RecordFault) {
    let key = "formatVersion"
    guard case .integer(1) = try take(key) else { throw RecordFault(keyPath: keyPath(key), reason: "must be 1") }
  }
}

extension JSONValue {
  static func identity(_ id: NoteID) -> JSONValue { .string(id.description) }
  static func time(_ time: Timestamp) -> JSONValue { .string(time.text) }
  static func count(_ number: UInt64) -> JSONValue { .integer(Int64(clamping: number)) }
  /// A text that can be read back: JSON readers refuse the character 0, so it is replaced by U+FFFD.
  static func text(_ text: String) -> JSONValue {
    .string(String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value == 0 ? "\u{FFFD}" : $0 })))
  }
}
