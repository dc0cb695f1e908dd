/// Reads journals. Never traps, whatever the bytes are; checks every limit before it allocates.
package enum JournalReader {
  /// Checks every checksum, length and number without building samples.
  ///
  /// `expecting` is the page in the file's name, `generationHint` the generation of that page; they are needed only
  /// where the header is damaged.
  package static func verify(
    _ file: UnsafeRawBufferPointer, expecting: NoteID? = nil, generationHint: UInt64? = nil
  ) -> JournalVerdict {
    if file.count > PageLimits.fileBytesMax { return JournalVerdict(.limitExceeded(.fileBytes), size: file.count) }
    switch JournalHeader.read(file) {
    case .failure(let fault):
      var verdict = JournalVerdict(fault.condition, size: file.count)
      switch fault.condition {
      case .headerDamaged, .headerFault:
        verdict.behind = framesWithoutHeader(of: file, expecting: expecting, hint: generationHint)
        verdict.images = verdict.behind.compactMap { $0.image(in: file) }
      default: break
      }
      return verdict
    case .success(let header): return walk(file, header)
    }
  }

  /// The same for an array.
  package static func verify(
    _ bytes: [UInt8], expecting: NoteID? = nil, generationHint: UInt64? = nil
  ) -> JournalVerdict {
    bytes.withUnsafeBytes { verify($0, expecting: expecting, generationHint: generationHint) }
  }

  /// The verdict, and what every good frame changes.
  package static func read(
    _ bytes: [UInt8], expecting: NoteID? = nil, generationHint: UInt64? = nil
  ) -> JournalReading {
    bytes.withUnsafeBytes { file in
      let verdict = verify(file, expecting: expecting, generationHint: generationHint)
      func change(_ mark: JournalMark) -> JournalChange {
        JournalChange(type: mark.type, payload: file.part((mark.offset + PageLimits.framePrefixBytes)..<mark.end))
      }
      return JournalReading(
        verdict: verdict, changes: verdict.changes.map(change), behind: verdict.behind.map(change))
    }
  }

  /// The run of good frames in their order, and what follows it.
  private static func walk(_ file: UnsafeRawBufferPointer, _ header: JournalHeader) -> JournalVerdict {
    let codec = FrameCodec(magic: JournalHeader.magic, page: header.page, generation: header.base, body: .journal)
    var verdict = JournalVerdict(.whole, size: file.count)
    verdict.header = header
    var offset = PageLimits.journalHeaderBytes
    var fault: FrameFault?
    while offset < file.count, fault == nil {
      if verdict.changes.count == PageLimits.elementsMax {
        verdict.condition = .limitExceeded(.elements)
        return verdict
      }
      // Nothing says how long a journal is: what reaches beyond its end is cut.
      switch codec.check(file, at: offset, isShort: true) {
      case .good(let length):
        let mark = JournalMark(file, at: offset, payloadLength: length)
        guard mark.sequence == UInt64(verdict.changes.count + 1) else {
          fault = .outOfOrder(mark.sequence)
          break
        }
        verdict.changes.append(mark)
        offset = mark.end
      case .overLimit:
        verdict.condition = .limitExceeded(.frameBytes)
        return verdict
      case .bad(let found): fault = found
      }
    }
    if let fault { verdict.note(fault, at: offset, in: file, codec) }
    verdict.images = (verdict.changes + verdict.behind).compactMap { $0.image(in: file) }
    return verdict
  }

  /// The good frames of a journal whose header is lost, under the pages and bases that it may have had.
  private static func framesWithoutHeader(
    of file: UnsafeRawBufferPointer, expecting: NoteID?, hint: UInt64?
  ) -> [JournalMark] {
    let unproven = JournalHeader(unproven: file)
    var tried: Set<UInt32> = []
    for page in [expecting, unproven.page].compactMap(\.self) {
      for base in [unproven.base, hint].compactMap(\.self) {
        let codec = FrameCodec(magic: JournalHeader.magic, page: page, generation: base, body: .journal)
        guard tried.insert(codec.prefix.value).inserted else { continue }
        let found = codec.goodFrames(in: file, from: PageLimits.journalHeaderBytes)
        if !found.isEmpty { return found }
      }
    }
    return []
  }
}

extension JournalVerdict {
  /// Takes up what is wrong at `offset`, and what is still good behind it.
  fileprivate mutating func note(
    _ fault: FrameFault, at offset: Int, in file: UnsafeRawBufferPointer, _ codec: FrameCodec
  ) {
    if file.isZero(offset..<file.count) {
      condition = .zeroTail(bytes: file.count - offset)
    } else {
      behind = codec.goodFrames(in: file, from: offset)
      condition = behind.isEmpty ? .tornTail(bytes: file.count - offset) : .damagedInside
    }
    damage = FrameDamage(index: changes.count, offset: offset, fault: fault, goodBehind: behind.count)
  }
}

extension FrameCodec {
  /// The good frames of a journal from `start` on, whatever stands between them.
  fileprivate func goodFrames(in file: UnsafeRawBufferPointer, from start: Int) -> [JournalMark] {
    var scan = FrameScan(file: file, body: .journal)
    return scan.frames(from: start, prefix: prefix.value)
      .map { JournalMark(file, at: $0.offset, payloadLength: $0.payloadLength) }
  }
}
