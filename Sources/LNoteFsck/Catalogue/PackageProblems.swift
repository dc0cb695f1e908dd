extension ProblemKind {
  static let notAPackage = ProblemKind(
    "LN0001", "not-a-package", .fatal, .report,
    rule: "A document is a folder that holds document.json and pages.",
    message: "{what} is not a document of Lulucat Notes: {reason}.",
    cause: "Another kind of file or an empty folder has a name that ends in .lnote.",
    repair: noRepair, undo: nothingToUndo)
  static let inUse = ProblemKind(
    "LN0002", "in-use", .info, .report,
    rule: "One program has a document open at one time.",
    message: "The document is open in another program{holder}.",
    cause: "The notes app, or another run of this tool, has the document open.",
    repair: "None while it is open. Close the document in the app, then run the repair again.", undo: nothingToUndo)
  static let unknownFormatVersion = ProblemKind(
    "LN0003", "unknown-format-version", .fatal, .report,
    rule: "A document says which version of the format it has, and this tool knows that version.",
    message: "{what} has format version {version}; this tool knows version 1.",
    cause: "A newer version of the app wrote it.",
    repair: "None: a newer lnote-fsck is needed.", undo: nothingToUndo)
  static let changedDuringCheck = ProblemKind(
    "LN0004", "changed-during-check", .warning, .operational,
    rule: "A document stays as it is while it is checked.",
    message: "{what} kept changing while it was checked.",
    cause: "The app is saving, or a sync service is still writing.",
    repair: "None. Close the document in the app, wait for the sync to end, then check again.", undo: nothingToUndo)
  static let inputOutputError = ProblemKind(
    "LN0005", "io-error", .error, .operational,
    rule: "Every file of a document can be read.",
    message: "{what} could not be read: {reason}.",
    cause: "The disk, the cable or the network failed. This is not damage of the document.",
    repair: "None: a repair on a failing disk may lose more. Copy the folder to a sound disk and check the copy.",
    undo: nothingToUndo)
  static let permissionDenied = ProblemKind(
    "LN0006", "permission-denied", .error, .operational,
    rule: "Every file of a document may be read by whoever checks it.",
    message: "{what} may not be read by you: {reason}.",
    cause: "The file belongs to another user, or its permissions were changed by a copy or an archive.",
    repair: "None. Run the check as the owner, or give yourself the right to read (chmod -R u+rwX).",
    undo: nothingToUndo)
  static let packageIsLink = ProblemKind(
    "LN0008", "package-is-symlink", .warning, .report,
    rule: "A document that is named stands where it is named.",
    message: "{what} is a symbolic link; the document that it leads to was looked at: {target}.",
    cause: "Someone moved the document and left a link behind, or keeps it in another folder.",
    repair: "None of the link. A repair works where the document itself stands, and sets things aside beside it there.",
    undo: nothingToUndo)
  static let crossesDevice = ProblemKind(
    "LN0009", "crosses-device", .warning, .report,
    rule: "A document lies on one disk.",
    message: "The folder {file} lies on another disk than the document.",
    cause: "Another disk, or a folder of one, was mounted there.",
    repair: "None. Unmount it and copy the folder itself to its place: a copy or a backup of the document may leave it "
      + "out.", undo: nothingToUndo)
  static let noSpaceForRepair = ProblemKind(
    "LN0010", "no-space-for-repair", .error, .operational,
    rule: "A repair begins only where there is room for all of it.",
    message: "There is no room to repair: {needed} are needed on this disk, {free} are free. Nothing was changed.",
    cause: "The disk is full or nearly so.",
    repair: "None. Make room, or write a repaired copy to another disk with -y --to DIR.", undo: nothingToUndo)
  static let resourceLimit = ProblemKind(
    "LN0011", "resource-limit", .error, .report,
    rule: "Nothing in a document is larger than the format allows.",
    message: "{what} is larger than the format allows: {size}, the limit is {limit}. It was not read.",
    cause: "A file of another kind was given this name, or the size itself is damaged.",
    repair: noRepair, undo: nothingToUndo)
  static let lockUnavailable = ProblemKind(
    "LN0012", "lock-unavailable", .warning, .report,
    rule: "The disk can say whether another program has a document open.",
    message: "The disk does not say whether another program has the document open.",
    cause: "Some network shares know no locks.",
    repair: "None by -p. With -y the document is repaired all the same: close it in the app, on every device, first. "
      + "Images that no page shows stay.", undo: nothingToUndo)
  static let archiveDamaged = ProblemKind(
    "LN0013", "archive-damaged", .error, .report,
    rule: "An archive of documents can be read from its beginning to its end.",
    message: "{what} is cut off or damaged: behind {count} it cannot be read on.",
    cause: "A download or an upload ended early, or the disk changed part of the file.",
    repair: "None of the archive itself: fetch it again, or make it again where the documents are. What can be read of "
      + "it is checked all the same, and -y --to DIR writes it as folders.", undo: nothingToUndo)
}
