extension ProblemKind {
  static let duplicateDocument = ProblemKind(
    "LN8001", "duplicate-document-id", .warning, .report,
    rule: "No two documents of a library have the same identity.",
    message: "{what} has the same identity as {other}: the app may show only one of them.",
    cause: "The document was copied in a file manager, or restored beside the one that is in use.",
    repair: "None. Look at both in the app, and move the one that is not needed elsewhere.", undo: nothingToUndo)
  static let nameNotIdentity = ProblemKind(
    "LN8002", "package-name-not-uuid", .warning, .report,
    rule: "A document's folder is named by the document's identity.",
    message: "{what} is not named by an identity; the app may not find it there.",
    cause: "Someone gave the folder a readable name, or shortened it.",
    repair: "None. Import it in the app, which gives it its name.", undo: nothingToUndo)
  static let conflictCopy = ProblemKind(
    "LN8003", "package-conflict-copy", .warning, .report,
    rule: "A library holds each document once.",
    message: "{what} looks like a second copy of {original}. It was checked on its own; nothing is merged.",
    cause: "Two devices changed the document at one time and a sync service kept both, or a file manager copied it.",
    repair: "None. Look at both in the app, and move the one that is not needed elsewhere.", undo: nothingToUndo)
  static let emptyPackage = ProblemKind(
    "LN8004", "empty-package", .info, .report,
    rule: "A folder with the name of a document holds one.",
    message: "{what} is an empty folder: no document is in it.",
    cause: "A document was moved away or deleted, or the sync has only made the folder yet.",
    repair: "None. Where a document should be in it, wait until the sync is done, or look in a backup.",
    undo: nothingToUndo)
  static let nestedPackage = ProblemKind(
    "LN8005", "nested-package", .warning, .report,
    rule: "No document lies within another.",
    message: "{what} lies within another document, where the app does not look. It was checked on its own.",
    cause: "It was dropped onto the other one in a file manager.",
    repair: "None. Move it out of the other document's folder.", undo: nothingToUndo)
  static let nameCollision = ProblemKind(
    "LN8006", "name-collision", .info, .report,
    rule: "Names in one folder differ by more than upper and lower case or the form of their accents.",
    message: "{what} and {other} have names that many disks take for the same.",
    cause: "The folder comes from a disk that tells such names apart, as most of Linux do.",
    repair: "None. Rename one before the folder is copied to a Mac, an iPad or a USB stick.", undo: nothingToUndo)
  static let oldSetAside = ProblemKind(
    "LN8007", "old-quarantine", .info, .report,
    rule: "What repairs set aside is looked through and then removed by whoever owns the notes.",
    message: "{what} holds what repairs set aside; the latest of them is from {date}.",
    cause: "The document was repaired more than 30 days ago.",
    repair: "None. When the notes are as they should be, the folder may be removed.", undo: nothingToUndo)
  static let packageIsArchive = ProblemKind(
    "LN8009", "package-is-archive", .info, .report,
    rule: "A document is a folder named by its identity and .lnote.",
    message: "{what} {state}. The document in it was checked.",
    cause: "A mail program, a browser or a sync service packed the document, or unpacked it under another name.",
    repair: "None in place. -y --to DIR writes the document as a folder of its proper name.", undo: nothingToUndo)
}
