import Files
import JSON
import LNoteFormat
import Rendering

@testable import LNoteFsck

extension DamageCase {
  // MARK: Pages

  static let pages = [
    DamageCase("a changed byte in a stroke", "LN3001", left: "LN9001", exit: 5) {
      try $0.damage(page1) { $0[200] ^= 1 }
    },
    DamageCase("a changed byte in the header", "LN3001") { try $0.damage(page1) { $0[40] ^= 1 } },
    DamageCase("a changed byte in the page with the image", "LN3001", left: "LN9001", exit: 5) { bench in
      try bench.damage(page2) { $0[200] ^= 1 }
    },
    DamageCase("a page without its header", "LN3001") { bench in
      try bench.damage(page1) { bytes in for place in 0..<84 { bytes[place] = 0xEE } }
    },
    DamageCase("a page cut in a stroke", "LN3002", left: "LN9001", exit: 5) { bench in
      try bench.damage(page1) { $0 = Array($0.dropLast(33)) }
    },
    DamageCase("a page cut to half (D10)", "LN3002 LN4003", left: "LN4003 LN9001", exit: 5) { bench in
      try bench.damage(page2) { $0 = Array($0.prefix($0.count / 2)) }
    },
    DamageCase("a page cut in its header", "LN3002", left: "LN9001", exit: 5) { bench in
      try bench.damage(page1) { $0 = Array($0.prefix(50)) }
    },
    DamageCase("bytes behind a page", "LN3003") { try $0.damage(page1) { $0 += [1, 2, 3] } },
    DamageCase("zeros behind a page", "LN3003") { bench in
      try bench.damage(page1) { $0 += [UInt8](repeating: 0, count: 4096) }
    },
    DamageCase("a page of another version", "LN3004", left: "LN3004", exit: 4) { bench in
      var bytes = bench.snapshots[0].encoded()
      bytes[8] = 2
      let sealed = Bench.sealed(header: bytes)
      try bench.put(sealed, at: page1)
    },
    DamageCase("two strokes changed places", "LN3109") { bench in
      try bench.damage(page1) { bytes in
        let frame = 9 + 32 + 160
        let first = Array(bytes[84..<(84 + frame)])
        bytes.replaceSubrange(84..<(84 + 2 * frame), with: bytes[(84 + frame)..<(84 + 2 * frame)] + first)
      }
    },
    DamageCase(
      "an element is gone, and the header's count with it", "LN3109 LN4003", left: "LN4003 LN9001", exit: 5
    ) { bench in
      try bench.damage(page2) { bytes in
        let image = 9 + 80
        bytes.removeLast(image)
        bytes[32] -= 1
        for place in 0..<8 { bytes[56 + place] = UInt8(truncatingIfNeeded: (bytes.count - 84) >> (8 * place)) }
        bytes = Bench.sealed(header: bytes)
      }
    },
    DamageCase("an unlisted damaged page", "LN3001", left: "LN9001", exit: 5) { bench in
      try bench.edit { $0.pages.remove(at: 0) }
      try bench.damage(page1) { $0[200] ^= 1 }
    },
    DamageCase("an unlisted page of 0 bytes", "LN1203") { bench in
      try bench.edit { $0.pages.remove(at: 0) }
      try bench.put([], at: page1)
    },
  ]

  // MARK: Images

  static let assets = [
    DamageCase("an image that is missing", "LN4001", left: "LN9001", exit: 5) { try $0.remove(picture) },
    DamageCase("an image that no page uses", "LN4002") { bench in
      try bench.put(JPEGMaker.picture(sizeBytes: 600, seed: 2), at: PackagePaths.asset(Bench.free))
    },
    DamageCase("an unused image beside a damaged page", "LN3001 LN4003", left: "LN4003 LN9001", exit: 5) { bench in
      try bench.damage(page1) { $0[200] ^= 1 }
      try bench.put(Bench.picture, at: PackagePaths.asset(Bench.free))
    },
    DamageCase("an unused image beside an element of unknown type", "LN3006 LN4003", left: "LN3006 LN4003", exit: 0) {
      bench in
      try bench.write(page: 2) { $0.elements.append(.unknown(UnknownElement(type: 99, payload: [1, 2]))) }
      try bench.edit { $0.pages[2].elementCount = 1 }
      try bench.put(Bench.picture, at: PackagePaths.asset(Bench.free))
    },
    DamageCase("an image cut short", "LN4005", left: "LN9001", exit: 5) { bench in
      try bench.damage(picture) { $0 = Array($0.prefix(1000)) }
    },
    DamageCase("a changed byte in an image", "LN4006", left: "LN9001", exit: 5) { bench in
      try bench.damage(picture) { $0[700] ^= 1 }
    },
    DamageCase("a damaged image with a whole copy", "LN1503 LN4006") { bench in
      try bench.damage(picture) { $0[700] ^= 1 }
      try bench.put(Bench.picture, at: Bench.temporary(picture))
    },
    DamageCase("a deleted page and the image that only it used", "LN2017 LN5104") { bench in
      try bench.edit { document in
        let gone = document.pages.remove(at: 1)
        document.deleted = [DeletedPage(id: gone.id, generation: gone.generation)]
      }
    },
  ]

  // MARK: The manifest

  static let derived = [
    DamageCase("no manifest", "LN5001") { try $0.remove(manifest) },
    DamageCase("a manifest of 0 bytes", "LN5002") { try $0.put([], at: manifest) },
    DamageCase("a manifest of zeros", "LN5002") { try $0.put([0, 0, 0], at: manifest) },
    DamageCase("a changed byte in the manifest", "LN5002") { try $0.damage(manifest) { $0[40] ^= 1 } },
    DamageCase("a manifest with a number that no save reaches", "LN5003") { bench in
      var record = ManifestRecord(mirroring: bench.document)
      record.documentGeneration = PageLimits.generationMax
      try bench.put(record.encoded(), at: manifest)
    },
    DamageCase("a manifest that lags", "LN5003") { bench in
      let old = try bench.bytes(manifest)
      try bench.edit { document in
        document.generation = 18
        document.title = "Physics 4"
      }
      try bench.put(old, at: manifest)
    },
  ]

  // MARK: Losses of earlier repairs

  static let losses = [
    DamageCase("a loss that is known", "LN9001", left: "LN9001", exit: 4) { bench in
      try bench.edit { document in
        document.pages[0].losses = [loss(generation: 5)]
        document.pages[0].elementCount = 15
      }
    },
    DamageCase("a loss that was accepted", "LN9001", left: "LN9001", exit: 0) { bench in
      var accepted = loss(generation: 5)
      accepted.isAccepted = true
      try bench.edit { $0.pages[0].losses = [accepted] }
    },
    DamageCase("a lost page that is back", "LN9002") { bench in
      try bench.edit { document in
        document.pages[0].generation = 6
        document.pages[0].losses = [loss(generation: 6, lost: 5)]
      }
    },
    DamageCase("a lost page that is back, noted by a repair that was ended early", "LN9002") { bench in
      try bench.edit { document in
        document.pages[0].generation = 7
        document.pages[0].unknown["healed"] = .object(["from": .integer(5), "to": .integer(7)])
      }
    },
    DamageCase("a lost image that is back", "LN9002") { bench in
      try bench.edit { document in
        document.losses = [
          RecordedLoss(
            at: Bench.made, code: "LN4001", elements: 1, stamp: "20260701T093000Z",
            unknown: ["asset": .string("\(Bench.asset)")])
        ]
      }
    },
  ]

  // MARK: Losses that the document does not tell any more

  static let mirrored = [
    DamageCase("a manifest that does not tell of a loss", "LN5003 LN9001", left: "LN9001", exit: 5) { bench in
      try bench.edit { $0.pages[0].losses = [loss(generation: 5)] }
      var record = ManifestRecord(mirroring: bench.document)
      record.losses = nil
      try bench.put(record.encoded(), at: manifest)
    },
    DamageCase("the document is missing, and the manifest tells of a loss", "LN2001 LN9001", left: "LN9001", exit: 5) {
      bench in
      try bench.edit { document in
        document.pages[0].losses = [loss(generation: 5)]
        document.pages[0].elementCount = 15
      }
      try bench.remove(document)
    },
    DamageCase(
      "an older document, and the manifest tells of a loss", "LN2016 LN9001", left: "LN9001 LN9001", exit: 5
    ) { bench in
      let old = bench.document
      try bench.edit { document in
        document.generation = 19
        document.losses = [loss(generation: 5)]
      }
      try bench.put(old.encoded(), at: document)
    },
    DamageCase(
      "no document, no manifest, and an older document is set aside", "LN2001 LN9001", left: "LN9001 LN9001", exit: 5
    ) {
      bench in
      try bench.edit { document in
        document.pages.reverse()
        document.pages[0].losses = [loss(generation: 5)]
        document.pages[0].elementCount += 12
      }
      let aside = BytePath("\(Bench.package)-lost+found/20260701T093000Z")
      try bench.volume.makeDirectories(aside)
      try bench.volume.make(aside.appending(document), bench.document.encoded())
      try bench.remove(document)
      try bench.remove(manifest)
    },
  ]

  static func loss(generation: Int64, lost: Int64 = 4) -> RecordedLoss {
    RecordedLoss(
      at: Bench.made, code: "LN3001", elements: 12, stamp: "20260701T093000Z",
      unknown: ["generation": .integer(generation), "lostGeneration": .integer(lost)])
  }
}
