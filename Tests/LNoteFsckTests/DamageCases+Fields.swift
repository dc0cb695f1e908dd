import JSON
import LNoteFormat

@testable import LNoteFsck

extension DamageCase {
  // MARK: Single fields of document.json

  static let fields = [
    DamageCase("a time of change in the future (D22)", "LN1701", left: "LN1701", exit: 0) { bench in
      try bench.edit { $0.modified = Timestamp(milliseconds: 4_070_908_800_000) }
    },
    DamageCase("a time that no date can write", "LN1701", left: "LN1701", exit: 0) { bench in
      try bench.write(page: 0) { $0.created = Timestamp(milliseconds: .min) }
    },
    DamageCase("a page that was changed in the future", "LN1701", left: "LN1701", exit: 0) { bench in
      try bench.write(page: 0) { $0.modified = Timestamp(milliseconds: 4_070_908_800_000) }
    },
    DamageCase("a page of no width beside a newer temporary page", "LN1502 LN2008") { bench in
      try bench.write(page: 0) { $0.canvas.width = 0 }
      try bench.writeTemporary(page: 0) { $0.generation = 6 }
    },
    DamageCase("a page of no width that came back older", "LN2008 LN2018", left: "LN9001", exit: 5) { bench in
      try bench.write(page: 0) { page in
        page.canvas.width = 0
        page.generation = 4
      }
    },
    DamageCase("an entry of no width", "LN2008") { bench in try bench.edit { $0.pages[0].canvas.width = 0 } },
    DamageCase("an entry and a page of no width", "LN2008") { bench in
      try bench.write(page: 0) { $0.canvas.width = 0 }
      try bench.edit { $0.pages[0].canvas.width = 0 }
    },
    DamageCase("no entry has a canvas, and nobody checked", "LN2008 LN2014") { bench in
      try bench.editMembers { members in
        members["pages"] = .array(
          (members["pages"]?.array ?? []).map { .object(($0.object ?? [:]).filter { $0.key != "canvas" }) })
      }
    },
    DamageCase("made two days after it was changed", "LN2009", left: "LN2009", exit: 0) { bench in
      try bench.edit { $0.created = Timestamp(milliseconds: Bench.made.milliseconds + 2 * 86_400_000) }
    },
    DamageCase("a time that is none, and a title that is none", "LN2009 LN2010 LN2014") { bench in
      try bench.editMembers { members in
        members["createdAt"] = "yesterday"
        members["title"] = .null
      }
    },
    DamageCase("a title with control characters", "LN2010") { bench in
      try bench.edit { $0.title = "Phys\u{1B}[31mics\t3" }
    },
    DamageCase("members of a newer app", "LN2011", left: "LN2011", exit: 0) { bench in
      try bench.edit { $0.unknown = ["shelf": "left"] }
    },
    DamageCase("four pages that the document does not list", "LN2012") { bench in
      for number in 1...4 {
        var page = bench.snapshots[0]
        page.id = NoteID(high: 0xF0, low: UInt64(number))
        try bench.put(page.encoded(), at: PackagePaths.page(page.id))
        try bench.put([0xFF, 0xD8, 0xFF, 0xD9], at: PackagePaths.thumbnail(page.id))
      }
    },
    DamageCase("a mark of byte order before document.json", "LN2015") { bench in
      try bench.damage(document) { $0 = [0xEF, 0xBB, 0xBF] + $0 }
    },
    DamageCase("a page newer and a page older than their entries", "LN2007 LN2018 LN8008", left: "LN9001", exit: 5) {
      bench in
      try bench.write(page: 0) { $0.generation = 6 }
      try bench.write(page: 1) { $0.generation = 4 }
    },
  ]
}

extension Bench {
  /// Changes the members of document.json, as somebody who edits it and leaves out the checksum.
  func editMembers(_ change: (inout [String: JSONValue]) -> Void) throws {
    var members = try JSONValue.parse(try bytes(PackagePaths.document)).object ?? [:]
    members["checksum"] = nil
    change(&members)
    try put(JSONValue.object(members).fileBytes(), at: PackagePaths.document)
  }
}
