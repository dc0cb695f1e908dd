extension ProblemKind {
  static let pageDamaged = ProblemKind(
    "LN3001", "page-damaged", .error, .consent,
    rule: "Every byte of a page agrees with its checksums.",
    message: "{what} is damaged{place}.",
    cause: "The disk changed part of the file, or the power failed during a save.",
    repair: "Every stroke and image that is whole is kept in a new page file; the damaged file is set aside.",
    loss: "The strokes and images that the damage hit; recorded in the document.")
  static let pageTruncated = ProblemKind(
    "LN3002", "page-truncated", .error, .consent,
    rule: "A page file is as long as its beginning says.",
    message: "{what} is cut off: {missing} are missing at its end.",
    cause: "The power failed during a save, or a copy was not complete.",
    repair: "Every whole stroke and image is kept, and the whole points of the stroke that was cut; the cut file is "
      + "set aside.",
    loss: "What stood behind the cut; it is recorded in the document.")
  static let trailingBytes = ProblemKind(
    "LN3003", "trailing-bytes", .warning, .consent,
    rule: "A page file ends with its last element.",
    message: "{what} is whole, but {extra} that do not belong to it follow at its end.",
    cause: "An older, longer file was overwritten in place, or something was appended.",
    repair: "The page is written again without them; the file as it was is set aside.")
  static let pageVersion = ProblemKind(
    "LN3004", "page-version", .fatal, .report,
    rule: "A page says which version of the format it has, and this tool knows that version.",
    message: "{what} has format version {version}; this tool knows version 1.",
    cause: "A newer version of the app wrote it.",
    repair: "None: a newer lnote-fsck is needed.", undo: nothingToUndo)
  static let canvasDiffers = ProblemKind(
    "LN3107", "header-canvas-differs", .warning, .automatic,
    rule: "The document knows the size of each page.",
    message: "{what} is {found}, but the document says {expected}.",
    cause: "The app was ended between two saves, or another program edited document.json.",
    repair: "document.json takes over what the page itself says.")
  static let frameListDiffers = ProblemKind(
    "LN3109", "frame-list-differs", .error, .consent,
    rule: "A page holds exactly the elements it was saved with, in their order.",
    message: "{what} holds elements that are whole but not those it was saved with: some are missing, twice there or "
      + "in another order.",
    cause: "The disk or a faulty program moved whole pieces of the file.",
    repair: "Each element is kept once, in the order of the file; the file as it was is set aside.",
    loss: "Elements that are missing whole are recorded in the document.")
}
