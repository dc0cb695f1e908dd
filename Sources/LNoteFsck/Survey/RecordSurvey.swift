import JSON
import LNoteFormat

/// From the bytes of `document.json` and `manifest.json` to what the checks need to know of them.
enum RecordSurvey {
  static func document(_ bytes: [UInt8]) -> DocumentContent {
    let reading = DocumentRecord.read(bytes)
    switch reading.condition {
    case .whole, .unverified:
      guard let record = reading.record else { return damaged(bytes, "it cannot be read") }
      return reading.condition == .whole ? .whole(record) : .unverified(record)
    case .zeroLength: return .empty
    case .nulFilled: return .zeros(SalvagedDocument())
    case .checksumDiffers: return reading.record.map { .mismatched($0) } ?? damaged(bytes, "its checksum differs")
    case .versionUnknown(let version): return .unknownVersion(Int(version))
    case .tooLarge: return damaged(bytes, "it is too large")
    case .fieldFault(let fault): return DocumentRecord.mend(bytes).map { .faulty($0) } ?? damaged(bytes, "\(fault)")
    case .notJSON(let error):
      if hasZeroSector(bytes) { return .zeros(DocumentSalvage.salvage(bytes)) }
      let anomaly = Sentences.anomaly(error)
      return .damaged(
        reason: anomaly ?? "it cannot be read from byte \(Sentences.grouped(UInt64(max(0, error.offset)))) on",
        offset: UInt64(max(0, error.offset)), isAnomaly: anomaly != nil, DocumentSalvage.salvage(bytes))
    }
  }

  /// The manifest, or what is wrong with it in words.
  struct Manifest: Sendable {
    var record: ManifestRecord?
    var damage: String?
    var unknown: [String: JSONValue] = [:]
  }

  /// The manifest in these bytes.
  static func manifest(_ bytes: [UInt8]) -> Manifest {
    let reading = ManifestRecord.read(bytes)
    if reading.condition.isReadable, let record = reading.record {
      return Manifest(record: record, unknown: record.unknown)
    }
    return Manifest(damage: damage(of: reading.condition), unknown: RecordSalvage.unknownOfManifest(bytes))
  }

  private static func damage(of condition: RecordCondition) -> String? {
    switch condition {
    case .whole, .unverified: nil
    case .zeroLength: "it is empty (0 bytes)"
    case .nulFilled: "it holds zeros in place of content"
    case .tooLarge: "it is too large"
    case .notJSON(let error): "it cannot be read from byte \(Sentences.grouped(UInt64(max(0, error.offset)))) on"
    case .checksumDiffers: "it does not agree with its checksum"
    case .versionUnknown(let version): "it has format version \(version)"
    case .fieldFault(let fault): "\(fault)"
    }
  }

  /// What a file in the package's folder without a name of its own is good for.
  static func stray(_ file: UnsafeRawBufferPointer) -> StrayFacts.Content {
    if let (id, summary) = PageSurvey.wholePage(of: file) { return .page(id, summary) }
    return stray(Array(file))
  }

  /// The same for what can only be a record.
  static func stray(_ bytes: [UInt8]) -> StrayFacts.Content {
    guard bytes.first == UInt8(ascii: "{") else { return .nothing }
    let document = DocumentRecord.read(bytes)
    if document.condition.isReadable, let record = document.record { return .document(record) }
    let manifest = ManifestRecord.read(bytes)
    if manifest.condition.isReadable, let record = manifest.record { return .manifest(record) }
    return .nothing
  }

  private static func damaged(_ bytes: [UInt8], _ reason: String) -> DocumentContent {
    .damaged(reason: reason, offset: nil, isAnomaly: false, DocumentSalvage.salvage(bytes))
  }

  private static func hasZeroSector(_ bytes: [UInt8]) -> Bool {
    let sector = 512
    var run = 0
    for byte in bytes {
      run = byte == 0 ? run + 1 : 0
      if run >= sector { return true }
    }
    // A text holds no zero byte at all, so that a shorter run at the end says the same.
    return run > 0
  }
}
