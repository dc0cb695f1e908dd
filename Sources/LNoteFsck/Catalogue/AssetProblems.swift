extension ProblemKind {
  static let assetMissing = ProblemKind(
    "LN4001", "asset-missing", .error, .consent,
    rule: "Every image that a page shows has its file.",
    message: "The image on {pages} is missing: its file is not there. It may still be in iCloud.",
    cause: "A copy or a sync was not complete, or the power failed before the image was on the disk.",
    repair: "The page keeps the place and size of the image; the loss is recorded.",
    loss: "The image; it is recorded in the document.",
    undo: "Put the image's file back, from a backup or another device; the next repair heals the record.")
  static let assetOrphan = ProblemKind(
    "LN4002", "asset-orphan", .info, .automatic,
    rule: "Every image file is used by a page.",
    message: "One image ({size}) is used by no page.",
    cause: "The app was ended after an image was inserted and before its page was saved, or before it cleaned up.",
    repair: "The image file is set aside.")
  static let assetUnproven = ProblemKind(
    "LN4003", "asset-unproven", .info, .report,
    rule: "An image file counts as unused only where everything that could use it was read.",
    message: "One image ({size}) is used by no page that can be read.",
    cause: "A page is damaged or missing, or the document is open; what cannot be read may use the image.",
    repair: "None: the image stays.", undo: nothingToUndo)
  static let assetTruncated = ProblemKind(
    "LN4005", "asset-truncated", .error, .consent,
    rule: "An image file reaches to its own end.",
    message: "The image {where} is cut off{missing}.",
    cause: "The power failed while it was written, or a copy was not complete.",
    repair: "A whole copy among the temporary files is put in its place. Where there is none, the file stays, since "
      + "part of it may still be seen, and the loss is recorded.",
    loss: "The missing part of the image; it is recorded in the document.",
    undo: "Put the image's file back, from a backup or another device; the next repair heals the record.")
  static let assetDamaged = ProblemKind(
    "LN4006", "asset-damaged", .error, .consent,
    rule: "An image file holds exactly what was inserted.",
    message: "The image {where} is damaged: it is not what was inserted.",
    cause: "The disk changed part of the file, or another program edited it.",
    repair: "A whole copy among the temporary files is put in its place. Where there is none, the file stays, since "
      + "part of it may still be seen, and the loss is recorded.",
    loss: "The damaged part of the image; it is recorded in the document.",
    undo: "Put the image's file back, from a backup or another device; the next repair heals the record.")
}
