/// A journal is the file into which a page's newest changes are written before they are in the page itself.
extension ProblemKind {
  static let journalTornTail = ProblemKind(
    "LN6001", "torn-tail", .info, .automatic,
    rule: "A journal, into which a page's newest changes are written first, ends with a whole change.",
    message: "{what} ends in the middle of a change: {extra} that are no whole change.",
    cause: "The app was ended or the power failed while a change was written. That change was never saved.",
    repair:
      "The journal is written again up to its last whole change; the journal as it was is set aside. One that ends "
      + "before its first change is set aside whole. Where the last change is there at full length and still is not "
      + "what was written, it may have been saved: then it is a warning, and repaired by -y only.")
  static let journalDamagedInside = ProblemKind(
    "LN6002", "bad-frame-inside", .error, .report,
    rule: "Every change in a journal is whole, and none is missing between two others.",
    message: "{what} is damaged{place}, with whole changes behind the damage: {kept}.",
    cause: "The disk changed part of the file, or a faulty program moved pieces of it.",
    repair: "None yet: which changes go into the page is not decided without what is missing between them. "
      + "Nothing is changed. Keep a copy of the document as it is, before the app opens it.",
    loss: "The changes that the damage hit.", undo: nothingToUndo)
  static let journalInsaneLength = ProblemKind(
    "LN6003", "insane-length", .error, .report,
    rule: "Every change in a journal says how long it is, and no change is longer than 64 MB.",
    message: "{what} holds a change{place} whose length no change can have.",
    cause: "The power failed while a change was written, or the disk changed part of the file.",
    repair: "Where no whole change follows, the journal is written again by -y up to its last whole change, and the "
      + "journal as it was is set aside. Where one follows, nothing is changed: keep a copy of the document as it is, "
      + "before the app opens it.",
    loss: "The change that cannot be read. If the power failed while it was written, it was never saved.")
  static let journalZeroTail = ProblemKind(
    "LN6004", "zero-tail", .info, .automatic,
    rule: "A journal, into which a page's newest changes are written first, ends with a whole change.",
    message: "{what} ends in zeros: {extra} behind its last change.",
    cause: "The power failed after the file had its new length and before the change was on the disk. That change was "
      + "never saved.",
    repair: "The journal is written again up to its last whole change; the journal as it was is set aside. One that "
      + "holds nothing but zeros is a warning, and set aside whole by -y only.")
  static let staleJournal = ProblemKind(
    "LN6005", "stale-journal", .info, .automatic,
    rule: "A journal belongs to the version of the page that is there.",
    message: "{what} belongs to an older version of the page: what is in it is in the page already.",
    cause: "The app was ended after it had put the changes into the page, and before it made a new journal.",
    repair: "The journal is set aside. It stays while the page is damaged or a loss of it is on record, since it may "
      + "hold what is lost.")
  static let futureJournal = ProblemKind(
    "LN6006", "future-journal", .error, .report,
    rule: "A journal belongs to the version of the page that is there.",
    message:
      "{what} belongs to a newer version of the page than is there: to version {base}, and the page has {found}.",
    cause: "A sync or a restore brought an older page back and left the journal, or the disk lost the newest save.",
    repair: "None yet: the changes are made on a page that is not here. Nothing is changed. Put the newer page back, "
      + "from a backup or another device, then check again; keep a copy of the document as it is until then. A journal "
      + "without changes is a warning, and set aside by -y.",
    loss: "What was drawn between the two versions, unless the newer page is found.", undo: nothingToUndo)
  static let journalWithoutPage = ProblemKind(
    "LN6007", "journal-without-page", .error, .report,
    rule: "A journal stands beside its page.",
    message: "{what} has no page to put its changes into: the page's file is not there.",
    cause: "A copy or a sync was not complete, or the page's file was removed.",
    repair: "None yet: the changes are made on a page that is not here. Nothing is changed. Put the page's file back, "
      + "from a backup or another device, then check again; keep a copy of the document as it is until then. A journal "
      + "without changes is a warning, and set aside by -y.",
    loss: "What stood on the page itself, unless it is found.", undo: nothingToUndo)
  static let unmergedJournal = ProblemKind(
    "LN6008", "unmerged-journal", .info, .report,
    rule: "When a document is closed, the changes of each page are in the page itself.",
    message: "{what} holds {changes} not put into the page itself yet.",
    cause: "The app was ended without closing the document. Nothing is lost by it.",
    repair: "None: the app puts the changes into the page when it opens it. Until then the page is not written anew by "
      + "a repair, and every image that the changes show stays.", undo: nothingToUndo)
  static let journalAnomaly = ProblemKind(
    "LN6009", "frame-anomaly", .warning, .report,
    rule: "Every change in a journal fits the page that it is made on.",
    message: "{what} holds changes that do not fit the page: {misfits}.",
    cause: "A newer version of the app wrote it, or a faulty program wrote changes twice.",
    repair: "None yet. Nothing is changed, and every image stays.", undo: nothingToUndo)
  static let journalHeaderDamaged = ProblemKind(
    "LN6010", "journal-header-damaged", .error, .report,
    rule: "A journal's beginning says which page and version its changes are made on.",
    message: "{what} is damaged at its beginning, which says what its changes are made on{kept}.",
    cause: "The disk changed part of the file, or another program overwrote it.",
    repair:
      "None yet: without its beginning nobody decides where the changes belong. Nothing is changed. Keep a copy of "
      + "the document as it is, before the app opens it. A journal without changes is a warning, and set aside by -y.",
    loss: "The changes in it, unless its beginning is found.", undo: nothingToUndo)
  static let journalOfOtherTimeline = ProblemKind(
    "LN6011", "journal-of-other-timeline", .error, .report,
    rule: "A journal belongs to the page that is there, and not to another one with the same number.",
    message: "{what} was made on another version of the page, which had the same number as the one that is there.",
    cause:
      "The document was changed on two devices or restored from a backup, and pages and journals of both were mixed.",
    repair:
      "None yet: the changes are made on a page that is not here. Nothing is changed, and the journal stays. Put the "
      + "page of the other device or backup beside it, then check again. A journal without changes is a warning, and "
      + "set aside by -y.",
    loss: "The changes in it, unless the page that they are made on is found.", undo: nothingToUndo)
}
