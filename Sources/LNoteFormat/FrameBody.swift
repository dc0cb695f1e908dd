/// Whose frames they are: a page snapshot's or a journal's. It tells what a payload has to hold.
enum FrameBody: Sendable {
  case snapshot, journal

  /// What is wrong with a payload; nil for a good one and for every payload of an unknown type.
  func fault(ofType type: UInt8, payload: UnsafeRawBufferPointer) -> PayloadFault? {
    switch self {
    case .snapshot: PageElement.fault(ofType: type, payload: payload)
    case .journal: JournalChange.fault(ofType: type, payload: payload)
    }
  }

  /// True where a frame of a known type may begin at `offset`: the length inside agrees with the frame's own.
  ///
  /// Precondition: at least the frame's first 9 bytes lie inside.
  func hasPlausibleLength(_ file: UnsafeRawBufferPointer, at offset: Int) -> Bool {
    let length = Int(file.number(at: offset, as: UInt32.self))
    let payload = offset + PageLimits.framePrefixBytes
    switch self {
    case .snapshot:
      return FrameBody.isPlausible(file, type: file[offset + 8], elementAt: payload, length: length)
    case .journal:
      let element = payload + PageLimits.sequenceBytes
      switch file[offset + 8] {
      case FrameType.remove: return length == PageLimits.removalBytes
      case FrameType.replace:
        let start = payload + PageLimits.replacementPrefixBytes
        guard start <= file.count else { return false }
        return FrameBody.isPlausible(
          file, type: file[start - 1], elementAt: start, length: length - PageLimits.replacementPrefixBytes)
      case let type:
        return FrameBody.isPlausible(file, type: type, elementAt: element, length: length - PageLimits.sequenceBytes)
      }
    }
  }

  private static func isPlausible(
    _ file: UnsafeRawBufferPointer, type: UInt8, elementAt offset: Int, length: Int
  ) -> Bool {
    if type == FrameType.image { return length == PageLimits.imageBytes }
    guard type == FrameType.stroke, offset + PageLimits.strokeBytes <= file.count else { return false }
    let count = Int(file.number(at: offset + 28, as: UInt32.self))
    return length == PageLimits.strokeBytes + PageLimits.sampleBytes * count
  }
}
