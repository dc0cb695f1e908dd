extension ProblemKind {
  static let documentMissing = ProblemKind(
    "LN2001", "document-missing", .fatal, .consent,
    rule: "A document holds document.json, which names its title and its pages in order.",
    message: "document.json, which holds title and page order, is missing. It may still be in iCloud.",
    cause: "A copy or a sync was not complete, or a save failed in its last step.",
    repair: "A whole copy among the temporary files is put in its place. Where there is none, it is made again: the "
      + "title from manifest.json, the pages in the order in which they were begun. Nothing is done while parts of files "
      + "show that more is coming, or within half a minute of the last file (exit status 8).",
    loss: "Where manifest.json does not agree, the title and the order of the pages are a guess; the document says so.")
  static let documentDamaged = ProblemKind(
    "LN2002", "document-damaged", .fatal, .consent,
    rule: "document.json can be read whole.",
    message: "document.json, which holds title and page order, is damaged: {reason}.",
    cause: "The power failed during a save, or the disk lost part of the file.",
    repair: "A whole copy among the temporary files is put in its place. Where there is none, what can still be read "
      + "is kept and the other pages are listed again from their files.",
    loss: "Where manifest.json does not agree, the title and the order of the pages are a guess; the document says so.")
  static let documentIdentityDiffers = ProblemKind(
    "LN2003", "document-id-mismatch", .error, .consent,
    rule: "document.json has the identity that is in the name of its folder.",
    message: "document.json {state}.",
    cause: "The document was copied and its folder renamed, or document.json was copied from another document.",
    repair: "A copy takes over the identity in its folder's name. A document.json that lists none of the pages is set "
      + "aside, and made again from the pages that are there.",
    loss: "Where document.json is another document's, title and page order; the document says so.")
  static let duplicatePageEntry = ProblemKind(
    "LN2004", "duplicate-page-entry", .error, .consent,
    rule: "The document lists every page once.",
    message: "{what} stands in the document more than once.",
    cause: "Another program edited document.json, or put two versions of it together.",
    repair: "The entry that fits the page is kept, else the first; the page itself stays as it is.")
  static let pageMissing = ProblemKind(
    "LN2005", "page-missing", .error, .consent,
    rule: "Every page that the document lists has a file.",
    message: "{what} is missing: its file is not there. It may still be in iCloud.",
    cause: "A copy or a sync was not complete, or the power failed before the page was on the disk.",
    repair: "An empty page takes its place and keeps its number.",
    loss: "The content of the page; it is recorded in the document.",
    undo: "Put the page's file back, from a backup or another device; the next repair heals the record.")
  static let pageUnlisted = ProblemKind(
    "LN2006", "page-unlisted", .error, .consent,
    rule: "The document lists every page that is there.",
    message: "{file} is a whole page ({elements}) that the document does not list; nobody can open it.",
    cause: "The power failed after the page was written and before the document listed it.",
    repair: "It is added behind the last page.", undo: "Delete the page in the app, or put the old document.json back.")
  static let entryLags = ProblemKind(
    "LN2007", "entry-lags", .warning, .automatic,
    rule: "The document knows the newest version of each page.",
    message: "{what} is whole and newer than the document knows.",
    cause: "The app was ended after the page was saved and before document.json was.",
    repair: "document.json takes over what the page itself says.")
  static let pagesBulkMissing = ProblemKind(
    "LN2013", "pages-bulk-missing", .error, .report,
    rule: "Every page that the document lists has a file.",
    message: "{count} are missing: their files are not there. They may still be in iCloud.",
    cause: "A copy, an archive or a sync was not complete. A disk seldom loses so many files at once.",
    repair: "None: empty pages in their place would only hide it. Copy the document again, or let the sync end.",
    undo: nothingToUndo)
  static let checksumMismatch = ProblemKind(
    "LN2014", "checksum-mismatch", .error, .consent,
    rule: "document.json agrees with its own checksum.",
    message: "document.json, which holds title and page order, does not agree with its checksum: something in it "
      + "was changed.",
    cause: "The disk changed part of the file, or another program edited it.",
    repair: "A whole copy among the temporary files is put in its place. Where there is none, what it says is kept "
      + "where the pages agree, and it gets a new checksum.",
    loss: "A changed title cannot be told from a right one; look at it.")
  static let documentRolledBack = ProblemKind(
    "LN2016", "document-rolled-back", .error, .consent,
    rule: "document.json is never older than manifest.json.",
    message: "document.json is older than manifest.json: version {found}, but {expected} was saved.",
    cause: "A sync or a restore brought an older file back, or the disk lost the newest save.",
    repair: "A newer copy among the temporary files is put in its place. Where there is none, the older version "
      + "is kept, and pages that it does not list are added behind the last page.",
    loss: "The newest title and page order may be lost; the document says so.")
  static let deletionUnfinished = ProblemKind(
    "LN2017", "deletion-unfinished", .info, .automatic,
    rule: "A page that was deleted has no file.",
    message: "{file} is a page that was deleted; its file is still there.",
    cause: "The app was ended while it deleted the page.",
    repair: "The file is set aside.")
  static let pageRolledBack = ProblemKind(
    "LN2018", "page-rolled-back", .error, .consent,
    rule: "No page is older than the document knows.",
    message: "{what} is an older version: version {found}, but {expected} was saved.",
    cause: "A sync or a restore brought an older file back, or the disk lost the newest save.",
    repair: "A newer copy among the temporary files is put in its place. Where there is none, the older version is "
      + "kept and the loss is recorded.",
    loss: "What was drawn since the older version; it is recorded in the document.")
  static let elementCountDiffers = ProblemKind(
    "LN2019", "element-count", .error, .consent,
    rule: "A page holds as many elements as the document says.",
    message: "{what} holds {found}, but the document says {expected}.",
    cause: "One of the two was changed without the other.",
    repair: "The page stays as it is, and document.json takes over its number.",
    loss: "Where the page holds fewer, the difference is recorded as a loss.")
}
