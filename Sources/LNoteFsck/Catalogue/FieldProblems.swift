extension ProblemKind {
  static let implausibleTime = ProblemKind(
    "LN1701", "implausible-time", .info, .report,
    rule: "A document was made and changed between 2010 and today.",
    message: "{what} of a time that cannot be: {times}. Nothing is decided by it.",
    cause: "The clock of a device was wrong.",
    repair: noRepair, undo: nothingToUndo)
  static let badCanvas = ProblemKind(
    "LN2008", "bad-canvas", .error, .consent,
    rule: "The document knows the size of each page, and nothing is 0 wide or high.",
    message: "{what} no size that a page can have{which}.",
    cause: "A fault of the app or of another program that wrote document.json.",
    repair: "The size that the page itself says is taken over. Where that is none either, that of another page is.",
    loss: "Where nothing tells the size, it is a guess; what is on the page stays where it is.")
  static let badTimestamp = ProblemKind(
    "LN2009", "bad-timestamp", .warning, .report,
    rule: "The times of a document and its pages are times, and nothing was changed before it was made.",
    message: "document.json says that {what} changed before {it} made.",
    cause: "The clock of a device was set back, or another program edited document.json.",
    repair: "None where it is a time: nothing is decided by it. Where it is no time, so that the app cannot read "
      + "document.json, that of the page or of manifest.json takes its place, by -y.",
    undo: undoByMoving)
  static let badTitle = ProblemKind(
    "LN2010", "bad-title", .warning, .consent,
    rule: "A document has a title, which is a text without control characters.",
    message: "The title holds {count}, which cannot be seen.",
    cause: "A fault of the app or of another program that wrote document.json.",
    repair:
      "A space takes the place of each control character. Where there is no title, that of manifest.json is taken "
      + "over.")
  static let unknownField = ProblemKind(
    "LN2011", "unknown-field", .info, .report,
    rule: "This tool knows everything that document.json says.",
    message: "document.json says something that this tool does not know: {fields}. It stays as it is.",
    cause: "A newer version of the app wrote it.",
    repair: "None: it is kept whatever is repaired.", undo: nothingToUndo)
  static let pagesUnlisted = ProblemKind(
    "LN2012", "pages-unlisted", .error, .consent,
    rule: "The document lists every page that is there.",
    message: "{count} whole, but the document does not list them; nobody can open them.",
    cause: "document.json came from another device, from a backup or from an emptied document.",
    repair: "All of them are added behind the last page, in the order in which they were begun.",
    loss: "The order of these pages is a guess: look at it.",
    undo: "Delete the pages in the app, or put the old document.json back.")
  static let jsonAnomaly = ProblemKind(
    "LN2015", "json-anomaly", .error, .consent,
    rule: "document.json can be read in one way only.",
    message:
      "document.json, which holds title and page order, {anomaly}: programs read that differently, or not at all.",
    cause: "Another program edited it, or the disk changed part of the file.",
    repair: "A whole copy among the temporary files is put in its place. Where there is none, what can be read without "
      + "doubt is kept and the other pages are listed again from their files.",
    loss: "Where manifest.json does not agree, the title and the order of the pages are a guess; the document says so.")
  static let copiedWhileWritten = ProblemKind(
    "LN8008", "copied-while-written", .warning, .report,
    rule: "The files of a document are all of one moment.",
    message: "Some pages are newer than the document knows ({ahead}), and others older ({behind}): the files are of "
      + "different moments.",
    cause: "The document was copied or packed while the app was saving it, or versions of it were put together.",
    repair: "None of this: copy the document again, while it is closed in the app. What is repaired here is the copy.",
    undo: nothingToUndo)
}
