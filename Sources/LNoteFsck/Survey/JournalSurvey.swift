import Files
import LNoteFormat

/// From the bytes of a journal to what the checks need to know of it.
struct JournalSurvey: Sendable {
  /// What the bytes are.
  private(set) var content: JournalContent
  /// The changes that can be taken; kept only until the page was looked at.
  private let changes: [JournalMark]

  /// What the bytes of a journal of this page are.
  init(_ bytes: UnsafeRawBufferPointer, id: NoteID, generationHint: UInt64?) {
    let verdict = JournalReader.verify(bytes, expecting: id, generationHint: generationHint)
    content = JournalContent(verdict, endsInWholeFrame: JournalSurvey.endsInWholeFrame(verdict, bytes))
    changes = verdict.changes
  }

  /// The same from a file's first bytes and its size alone.
  static func glance(_ head: [UInt8], size: UInt64, id: NoteID) -> JournalContent {
    let verdict = JournalReader.verify(Array(head.prefix(PageLimits.journalHeaderBytes)), expecting: id)
    var content = JournalContent(verdict, endsInWholeFrame: false)
    content.isGlanced = true
    content.bytes = size
    return content
  }

  /// Notes which changes do not fit the page of these bytes, where it is whole and the one that they are made on.
  mutating func compare(withPage bytes: UnsafeRawBufferPointer) {
    guard let header = content.header, let page = PageReader.verifyWhole(bytes), let own = page.header,
      own.id == header.page, own.generation == header.base, own.checksum == header.baseChecksum
    else { return }
    content.misfits = JournalMisfits(changes, on: page.elements)
  }

  /// True where the bad frame behind the good ones reaches exactly to the end, and no sector of it is all zeros.
  private static func endsInWholeFrame(_ verdict: JournalVerdict, _ bytes: UnsafeRawBufferPointer) -> Bool {
    guard case .tornTail(let count) = verdict.condition, let damage = verdict.damage else { return false }
    switch damage.fault {
    case .checksum, .malformed: break
    default: return false
    }
    let head = bytes[damage.offset..<(damage.offset + 4)]
    let length = head.reversed().reduce(0) { $0 << 8 | Int($1) }
    guard PageLimits.framePrefixBytes + length == count else { return false }
    let sector = 512
    var start = damage.offset
    while start < bytes.count {
      let end = min((start / sector + 1) * sector, bytes.count)
      if !bytes[start..<end].contains(where: { $0 != 0 }) { return false }
      start = end
    }
    return true
  }
}

extension JournalSurvey: Keepable {}

extension JournalContent {
  fileprivate init(_ verdict: JournalVerdict, endsInWholeFrame: Bool) {
    var (count, least, most): (Int64, Int64, Int64) = (0, 0, 0)
    for change in verdict.changes {
      count += (change.adds == nil ? 0 : 1) - (change.removes == nil ? 0 : 1)
      (least, most) = (min(least, count), max(most, count))
    }
    self.init(
      condition: verdict.condition, bytes: UInt64(verdict.size), header: verdict.header,
      changes: UInt64(verdict.changes.count), behind: UInt64(verdict.behind.count),
      unknownChanges: UInt64(verdict.changes.count { !$0.isKnown }), countChange: least...most,
      images: verdict.images, damage: verdict.damage, goodEnd: UInt64(verdict.goodEnd),
      endsInWholeFrame: endsInWholeFrame)
  }
}
