extension ProblemKind {
  static let knownLoss = ProblemKind(
    "LN9001", "known-loss", .error, .report,
    rule: "Nothing that was ever saved is missing.",
    message: "{what}: {lost} since the repair of {date} ({code}).",
    cause: "An earlier repair could not bring it back. The document itself keeps the record.",
    repair:
      "None: nothing is left to repair. Put a better copy of the file back, and the next repair heals it; or accept it with --accept-loss, and it is only a note.",
    undo: nothingToUndo)
  static let healed = ProblemKind(
    "LN9002", "healed", .info, .automatic,
    rule: "A loss is recorded only as long as it lasts.",
    message: "{what}: what was lost in the repair of {date} is back.",
    cause: "A better copy of the file was put back.",
    repair: "The record of the loss is taken out of the document.")
}
