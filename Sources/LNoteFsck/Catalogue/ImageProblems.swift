extension ProblemKind {
  static let assetNotJPEG = ProblemKind(
    "LN4004", "asset-not-jpeg", .warning, .report,
    rule: "Images are JPEGs, which every version of the app can show.",
    message: "{what} is {kind}, and no JPEG: the app may not show it.",
    cause: "It was put in place of the image, or inserted by another program.",
    repair: "None: it is what was inserted. It stays. Seen with --deep only.", undo: nothingToUndo)
  static let assetTrailingData = ProblemKind(
    "LN4007", "asset-trailing-data", .info, .report,
    rule: "An image file ends with its image.",
    message: "{what} has {extra} behind its end.",
    cause: "Cameras keep a second picture or a film there.",
    repair: "None: it is what was inserted. Seen with --deep only.", undo: nothingToUndo)
  static let assetConflict = ProblemKind(
    "LN4009", "asset-digest-conflict", .error, .report,
    rule: "Pages that show one image agree on what it is.",
    message: "The image file shown on {pages} is what {some} was given, but {others} was given another one under the "
      + "same name.",
    cause: "Pages of two versions of the document were put together, by a sync or by hand.",
    repair: "None: one image file cannot be two images. It stays, and the page that was given it shows it. Insert the "
      + "other image again, on the page that lacks it.",
    undo: nothingToUndo)
  static let assetZeroDimensions = ProblemKind(
    "LN4008", "asset-zero-dimensions", .warning, .report,
    rule: "An image has a width and a height.",
    message: "{what} has no size: nothing of it can be shown.",
    cause: "It was damaged before it was inserted.",
    repair: "None: it is what was inserted. Seen with --deep only.", undo: nothingToUndo)
}
