import Bytes
import LNoteFormat

@testable import LNoteFsck

extension DamageCase {
  // MARK: Whole pages that hold what no writer means

  static let elements = [
    DamageCase("a stroke that is there twice", "LN3005") { bench in
      try bench.rewrite(page: 0) { $0.elements.append($0.elements[1]) }
    },
    DamageCase("two strokes of one identity", "LN3005") { bench in
      try bench.rewrite(page: 0) { page in
        page.elements.append(.stroke(with(id: page.elements[1].id, Bench.stroke(41, samples: 3))))
      }
    },
    DamageCase("an element of unknown type on two pages", "LN3006", left: "LN3006", exit: 0) { bench in
      for page in 0..<2 {
        try bench.rewrite(page: page) { $0.elements.append(.unknown(UnknownElement(type: 99, payload: [1, 2]))) }
      }
    },
    DamageCase("a pressure that no pen has", "LN3102") { bench in
      try bench.rewrite(page: 0) { page in
        page.elements[0] = .stroke(changed(1) { $0.samples[4].pressure = 1001 })
      }
    },
    DamageCase("all that can be odd, in a page newer than its entry", "LN2007 LN3005 LN3102") { bench in
      try bench.write(page: 0) { page in
        page.generation = 6
        page.elements[0] = .stroke(changed(1) { $0.samples[4].pressure = .max })
        page.elements.append(page.elements[1])
        page.elements.append(.stroke(with(id: page.elements[1].id, Bench.stroke(41, samples: 3))))
      }
    },
    DamageCase("a pressure that no pen has, in a page that came back older", "LN2018 LN3102", left: "LN9001", exit: 5) {
      bench in
      try bench.write(page: 0) { page in
        page.generation = 4
        page.elements[0] = .stroke(changed(1) { $0.samples[4].pressure = .max })
      }
    },
    DamageCase("a pressure that no pen has, beside a newer temporary page", "LN1502 LN3102") { bench in
      try bench.write(page: 0) { $0.elements[0] = .stroke(changed(1) { $0.samples[4].pressure = .max }) }
      try bench.writeTemporary(page: 0) { $0.generation = 6 }
    },
    DamageCase("a point before the one before it", "LN3104", left: "LN3104", exit: 0) { bench in
      try bench.rewrite(page: 0) { $0.elements[2] = .stroke(changed(3) { $0.samples[5].time = 0 }) }
    },
    DamageCase("a stroke that says one point more than it has", "LN3105") { bench in
      try bench.damage(page1) { $0 = claiming($0, samples: 11) }
    },
    DamageCase("a stroke that says so many points that nobody has them", "LN3105") { bench in
      try bench.damage(page1) { $0 = claiming($0, samples: .max) }
    },
    DamageCase("a stroke without a point", "LN3106", left: "LN3106", exit: 0) { bench in
      try bench.rewrite(page: 2) { $0.elements = [.stroke(Bench.stroke(40, samples: 0))] }
    },
    DamageCase("a page and an entry of generation 0", "LN3108") { bench in
      try bench.write(page: 0) { $0.generation = 0 }
      try bench.edit { $0.pages[0].generation = 0 }
    },
    DamageCase("two places that were given two images of one name", "LN4009", left: "LN4009", exit: 4) { bench in
      try bench.rewrite(page: 2) { page in
        page.elements = [.image(Bench.image(of: Bench.asset, Bench.picture + [0], element: 22))]
      }
    },
    DamageCase("two places that were given two images of one name and length", "LN4009", left: "LN4009", exit: 4) {
      bench in
      try bench.rewrite(page: 2) { page in
        page.elements = [.image(Bench.image(of: Bench.asset, Bench.picture.dropLast() + [0], element: 22))]
      }
    },
  ]

  private static func with(id: NoteID?, _ stroke: Stroke) -> Stroke {
    var stroke = stroke
    stroke.id = id ?? stroke.id
    return stroke
  }

  private static func changed(_ number: UInt64, _ change: (inout Stroke) -> Void) -> Stroke {
    var stroke = Bench.stroke(number, samples: 10)
    change(&stroke)
    return stroke
  }

  /// Page 1 with another number of samples in its second stroke, and every checksum right.
  static func claiming(_ bytes: [UInt8], samples: UInt32) -> [UInt8] {
    let frame = 9 + 32 + 160
    let codec = FrameCodec(magic: PageHeader.magic, page: Bench.pages[0], generation: 5)
    var bytes = bytes
    var payload = Array(bytes[(84 + frame + 9)..<(84 + 2 * frame)])
    for place in 0..<4 { payload[28 + place] = UInt8(truncatingIfNeeded: samples >> (8 * UInt32(place))) }
    bytes.replaceSubrange((84 + frame)..<(84 + 2 * frame), with: codec.frame(type: 1, payload))
    return Bench.sealed(listOf: bytes, frames: 3, bytesEach: frame)
  }
}

extension FrameCodec {
  /// One frame.
  fileprivate func frame(type: UInt8, _ payload: [UInt8]) -> [UInt8] {
    var writer = ByteWriter()
    append(type: type, to: &writer) { $0.write(bytes: payload) }
    return writer.bytes
  }
}

extension Bench {
  /// Another version of a page of the same generation, which the document and the manifest know.
  func rewrite(page place: Int, _ change: (inout PageSnapshot) -> Void) throws {
    var page = snapshots[place]
    change(&page)
    try put(page.encoded(), at: PackagePaths.page(page.id))
    try edit { $0.pages[place].elementCount = UInt64(page.elements.count) }
  }

  /// A page file with the checksums of its list of frames and of its header put right.
  fileprivate static func sealed(listOf bytes: [UInt8], frames: Int, bytesEach: Int) -> [UInt8] {
    var list = CRC32C()
    for start in (0..<frames).map({ 84 + $0 * bytesEach }) { list.update(bytes[start..<(start + 8)]) }
    var bytes = bytes
    for place in 0..<4 { bytes[80 + place] = UInt8(truncatingIfNeeded: list.value >> (8 * UInt32(place))) }
    return sealed(header: bytes)
  }
}
