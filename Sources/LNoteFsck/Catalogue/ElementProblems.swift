extension ProblemKind {
  static let duplicateElement = ProblemKind(
    "LN3005", "duplicate-element-id", .warning, .consent,
    rule: "Each stroke and image of a page has an identity of its own.",
    message: "{what} is whole, but {doubles}.",
    cause: "A copy and paste, an undo or a sync in the app, or another program, put it there a second time.",
    repair: "What is there twice is kept once. Of two different ones with one identity the later gets a new one. The "
      + "page file as it was is set aside.")
  static let unknownElement = ProblemKind(
    "LN3006", "unknown-element-type", .info, .report,
    rule: "Everything on a page is a stroke or an image, as far as this tool knows.",
    message: "{what} something that this tool does not know{which}. It is whole, and it stays.",
    cause: "A newer version of the app put it there.",
    repair: noRepair, undo: nothingToUndo)
  static let valueOutOfRange = ProblemKind(
    "LN3102", "value-out-of-range", .error, .consent,
    rule: "The pressure of every point of a stroke is between 0 and 1,000.",
    message: "{what} is whole, but {points} of {strokes} a pressure that no pen has.",
    cause: "A fault of the app or of another program that wrote the page. The disk did not change it.",
    repair: "The pressure of these points becomes 1,000, the greatest there is; everything else stays as it is. The "
      + "page file as it was is set aside.",
    loss: "Nothing that was right; the old pressure is in the file that is set aside.")
  static let timeNotMonotonic = ProblemKind(
    "LN3104", "time-not-monotonic", .warning, .report,
    rule: "No point of a stroke is earlier than the one before it.",
    message: "{what} a stroke in which time goes back{which}. It can be seen as it was drawn.",
    cause: "The clock was set while someone wrote, or the stroke was put together by another program.",
    repair: noRepair, undo: nothingToUndo)
  static let sampleCountDiffers = ProblemKind(
    "LN3105", "sample-count", .error, .consent,
    rule: "A stroke has as many points as it says.",
    message: "{what} holds a stroke that says it has another number of points than it has{place}.",
    cause: "A fault of the app or of another program that wrote the page. The disk did not change it.",
    repair: "The points that are there are kept, with all other strokes and images; the page file as it was is set "
      + "aside.")
  static let emptyStroke = ProblemKind(
    "LN3106", "empty-stroke", .warning, .report,
    rule: "A stroke has at least one point.",
    message: "{what} a stroke without a single point{which}. Nothing of it can be seen.",
    cause: "The app was given a touch without a movement, or everything of the stroke was erased.",
    repair: noRepair, undo: nothingToUndo)
  static let generationZero = ProblemKind(
    "LN3108", "generation-zero", .error, .consent,
    rule: "The versions of a page are counted from 1.",
    message: "{what} is whole, but it has no version number; an older one could not be told from it.",
    cause: "Another program wrote the page.",
    repair: "The page is written again with a number, and with the same content; the file as it was is set aside.")
}
