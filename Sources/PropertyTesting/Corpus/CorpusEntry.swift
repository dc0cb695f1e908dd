import Bytes

/// One failing case as it is kept.
///
///     bytes  meaning
///         8  "lnotecas"
///         1  version, 1
///     3 × n  texts: name of the test, bucket, the case in words; each its length in 4 bytes, then UTF-8
///         4  how many values follow
///         n  values: a kind (0 no, 1 yes, 2 int, 3 float, 4 bytes), then 8 bytes, or a length of 4 bytes and so many
///         4  CRC-32C of all bytes before
///
/// All numbers are little endian.
package struct CorpusEntry: Hashable, Sendable {
  /// The name of the test.
  package let test: String
  /// The signature of the mistake.
  package let bucket: String
  /// The case in words, as the test tells it; empty where it tells nothing.
  package let text: String
  /// What was chosen.
  package let values: [ChoiceValue]

  /// An entry.
  package init(test: String, bucket: String, text: String, values: [ChoiceValue]) {
    self.test = test
    self.bucket = bucket
    self.text = text
    self.values = values
  }

  /// Why bytes are no entry.
  package enum Damage: Error, Hashable, Sendable, CustomStringConvertible {
    case foreign, newer, cut, altered

    /// The sentence.
    package var description: String {
      switch self {
      case .foreign: "is not a failing case that was kept"
      case .newer: "was written by a newer version"
      case .cut: "ends too early"
      case .altered: "does not have the checksum that it was written with"
      }
    }
  }

  /// The largest entry that is read, in bytes.
  package static let bytesMax = 1 << 20

  private static let signature = Array("lnotecas".utf8)
  private static let version: UInt8 = 1

  /// The entry as it is kept.
  package var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.write(bytes: CorpusEntry.signature)
    writer.write(CorpusEntry.version)
    for text in [test, bucket, text] {
      writer.write(UInt32(text.utf8.count))
      writer.write(bytes: text.utf8)
    }
    writer.write(UInt32(values.count))
    for value in values { writer.write(value) }
    writer.write(CRC32C.checksum(of: writer.bytes))
    return writer.bytes
  }

  /// The entry that was kept so.
  package init(_ bytes: [UInt8]) throws(Damage) {
    guard bytes.starts(with: CorpusEntry.signature) else { throw .foreign }
    guard bytes.count > CorpusEntry.signature.count + 4 else { throw .cut }
    guard bytes[CorpusEntry.signature.count] == CorpusEntry.version else { throw .newer }
    var tail = ByteReader(bytes.suffix(4))
    guard tail.readUInt32() == CRC32C.checksum(of: bytes.dropLast(4)) else { throw .altered }
    var reader = ByteReader(bytes.dropLast(4))
    _ = reader.skip(count: CorpusEntry.signature.count + 1)
    var texts: [String] = []
    for _ in 0..<3 {
      guard let count = reader.readUInt32(), let text = reader.readBytes(count: Int(count)) else { throw .cut }
      texts.append(String(decoding: text, as: UTF8.self))
    }
    guard let count = reader.readUInt32() else { throw .cut }
    var values: [ChoiceValue] = []
    for _ in 0..<count {
      guard let value = reader.readChoiceValue() else { throw .cut }
      values.append(value)
    }
    self.init(test: texts[0], bucket: texts[1], text: texts[2], values: values)
  }

  /// What its test and bucket are called in file names: never anything of how the test is written.
  package static func key(test: String, bucket: String) -> String {
    XXH3.digest128(of: Array("\(test)\0\(bucket)".utf8)).description
  }

  /// The name of its file: its key, then what its values are.
  package var fileName: String {
    var writer = ByteWriter()
    for value in values { writer.write(value) }
    let digest = XXH3.digest64(of: writer.bytes)
    return "\(CorpusEntry.key(test: test, bucket: bucket))-\(Hex.text(of: UInt32(truncatingIfNeeded: digest))).case"
  }
}

extension ByteWriter {
  fileprivate mutating func write(_ value: ChoiceValue) {
    switch value {
    case .bool(let value): write(UInt8(value ? 1 : 0))
    case .int(let value):
      write(UInt8(2))
      write(Int64(value))
    case .float(let value):
      write(UInt8(3))
      write(value.bitPattern)
    case .bytes(let value):
      write(UInt8(4))
      write(UInt32(value.count))
      write(bytes: value)
    }
  }
}

extension ByteReader {
  /// Nil for what is no value, or cut.
  fileprivate mutating func readChoiceValue() -> ChoiceValue? {
    switch readUInt8() {
    case 0: .bool(false)
    case 1: .bool(true)
    case 2: readInt64().map { .int(Int($0)) }
    case 3: readUInt64().map { .float(Double(bitPattern: $0)) }
    case 4: readUInt32().flatMap { readBytes(count: Int($0)) }.map { .bytes(Array($0)) }
    default: nil
    }
  }
}
