import Files
import LNoteFormat

/// Documents beside each other: LN8001, LN8002, LN8003, LN8006. Pure functions of names and identities.
package enum LibraryCheck {
  /// What the names of the documents of one folder tell; `names` are all that stand there.
  package static func problems(ofNames names: [BytePath]) -> [BytePath: [Problem]] {
    var found: [BytePath: [Problem]] = [:]
    for name in names where name.hasSuffix(".lnote") {
      if case .package = PackageName.read(name.bytes, in: .library) { continue }
      if let original = original(of: name) {
        found[name, default: []].append(
          Problem(
            .conflictCopy, evidence: "the name begins with an identity",
            slots: ["what": "\(name)", "original": names.contains(original) ? "\(original)" : "a document"]))
      } else {
        found[name, default: []].append(Problem(.nameNotIdentity, slots: ["what": "\(name)"]))
      }
    }
    for (name, other) in collisions(names) {
      found[name, default: []].append(Problem(.nameCollision, slots: ["what": "\(name)", "other": "\(other)"]))
    }
    return found
  }

  /// Documents of a run that have the same identity; `documents` are in the order of the run.
  package static func duplicates(
    among documents: [(id: NoteID?, shown: String, isConflictCopy: Bool)]
  ) -> [Int: Problem] {
    var first: [NoteID: String] = [:]
    var found: [Int: Problem] = [:]
    for (place, document) in documents.enumerated() {
      let name = document.shown.split(separator: "/").last.map(String.init) ?? document.shown
      // A second copy of a document says so by its name, unless it holds another one.
      guard let id = document.id, !document.isConflictCopy || NoteID(String(name.prefix(36))) != id else { continue }
      guard let other = first[id] else {
        first[id] = document.shown
        continue
      }
      found[place] = Problem(.duplicateDocument, evidence: "\(id)", slots: ["what": name, "other": other])
    }
    return found
  }

  /// "<UUID> 2.lnote", "<UUID> (conflicted copy …).lnote", "<UUID>.sync-conflict-….lnote": the document it is a copy of.
  private static func original(of name: BytePath) -> BytePath? {
    let ending = Array(".lnote".utf8)
    guard name.bytes.count > 36 + ending.count,
      NoteID(String(decoding: name.bytes.prefix(36), as: UTF8.self)) != nil
    else { return nil }
    return BytePath(bytes: name.bytes.prefix(36) + ending)
  }

  /// Names that are the same without regard to case and to how accents are written, each with the one before it.
  private static func collisions(_ names: [BytePath]) -> [(BytePath, BytePath)] {
    // Strings of Swift are equal where they are canonically equivalent.
    var first: [String: BytePath] = [:]
    var found: [(BytePath, BytePath)] = []
    for name in names {
      guard let text = name.exactText else { continue }
      let key = text.lowercased().uppercased()
      if let other = first[key] { found.append((name, other)) } else { first[key] = name }
    }
    return found
  }
}
