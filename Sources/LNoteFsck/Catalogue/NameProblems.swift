extension ProblemKind {
  static let missingDirectory = ProblemKind(
    "LN1001", "missing-directory", .warning, .automatic,
    rule: "A document holds the folders pages, assets and thumbnails.",
    message: "The folder {file} is missing; nothing is expected in it.",
    cause: "A copy or an archive left empty folders out.",
    repair: "The empty folder is made again.", undo: "Remove the empty folder.")
  static let unexpectedType = ProblemKind(
    "LN1002", "unexpected-type", .error, .consent,
    rule: "What has the name of a file is a file, and what has the name of a folder is a folder.",
    message: "{what} is {type}; it was not opened.",
    cause: "Another program, or a faulty copy, made it.",
    repair: "It is set aside, and what belongs there is put in its place as if it were missing.",
    loss: "What the file should have held is not there; it is recorded in the document.")
  static let symlinkInside = ProblemKind(
    "LN1003", "symlink-inside", .error, .consent,
    rule: "Nothing in a document is a symbolic link.",
    message: "{what} is a symbolic link; it was not followed.",
    cause: "Someone moved the file elsewhere to save room, or an archive was made to lead outside.",
    repair: "The link itself is set aside, and what belongs there is put in its place as if it were missing.",
    loss: "What the file should have held is not there; it is recorded in the document.")
  static let hardLinked = ProblemKind(
    "LN1004", "hard-linked", .info, .report,
    rule: "No file of a document has a name outside of it.",
    message: "{count} of the document can be reached under another name outside of it, too.",
    cause: "A backup or a copy that saves room by links. What writes into such a file changes both.",
    repair: noRepair, undo: nothingToUndo)
  static let badName = ProblemKind(
    "LN1101", "bad-name", .error, .consent,
    rule: "Every page and every image stands in its folder, under its own identity.",
    message: "{file} is {target}, but not under its own name: the app does not find it there.",
    cause: "Someone renamed the file, or moved it within the document.",
    repair:
      "The file takes its own name, where no other file that is as good has it. A page that the document does not "
      + "list is then added to its end as a recovered page.",
    loss: "Where the file is damaged, the strokes and images that the damage hit; recorded in the document.")
  static let caseVariant = ProblemKind(
    "LN1102", "case-variant", .warning, .automatic,
    rule: "Names in a document are spelled as the app spells them, in upper and lower case too.",
    message: "{file} is {target} in another mix of upper and lower case: many disks do not find it.",
    cause: "A disk, a program or an archive that does not tell upper case from lower wrote the name anew.",
    repair: "The file takes its own name. Where a file of that name is there too, it keeps its place, and the other is "
      + "set aside; that is done by -y only. A whole folder is only reported: give it its own name.")
  static let characterVariant = ProblemKind(
    "LN1103", "unicode-variant", .error, .consent,
    rule: "Names in a document hold only the plain characters that the app writes.",
    message: "{file} looks like {target}, but is spelled with other characters: the app does not find it.",
    cause: "A program or an archive changed the characters of the name, or put some in that are not seen.",
    repair: "The file takes its own name. Where a file of that name is there too, it keeps its place, and the other is "
      + "set aside. A whole folder is only reported: give it its own name.")
  static let nameIdentityDiffers = ProblemKind(
    "LN1104", "name-id-mismatch", .error, .consent,
    rule: "The identity in a page is the one in its file's name, and an image file holds what its page was given.",
    message: "{what} holds the content of {other}.",
    cause: "Files were renamed, mixed up by a restore, or one was copied over another.",
    repair: "Each page file takes the name of the page that it holds, where no file that is as good has it; one that "
      + "is not needed is set aside. A page whose content is not here then counts as missing, and one that the "
      + "document does not list as unlisted. An image file takes the name of the image that it holds, where that one "
      + "is missing or damaged.",
    loss: "The content of a page or image whose file was replaced, unless a copy is here; it is recorded in the "
      + "document.")
  static let zeroLength = ProblemKind(
    "LN1203", "zero-length", .error, .consent,
    rule: "No page, image or document.json is empty.",
    message: "{what} is empty (0 bytes). It may still be in iCloud.",
    cause: "The power failed after the file was made and before its content was on the disk.",
    repair: "A whole copy among the temporary files is put in its place. Where there is none, the empty file is set "
      + "aside; a page gets an empty page in its place, an image keeps its place on the page.",
    loss: "The content of the file; it is recorded in the document.")
  static let nulFilled = ProblemKind(
    "LN1204", "nul-filled", .error, .consent,
    rule: "No file holds a run of zeros where its content belongs.",
    message: "{what} holds zeros in place of content, as after a power loss.",
    cause: "The power failed after the file had its length and before its content was on the disk.",
    repair: "A whole copy among the temporary files is put in its place. Where there is none, everything that can "
      + "still be read is kept and the damaged file is set aside.",
    loss: "What the zeros replaced; it is recorded in the document.")
  static let sparseHole = ProblemKind(
    "LN1205", "sparse-hole", .error, .consent,
    rule: "The disk holds every byte of a file.",
    message: "{what} holds zeros in place of content: part of the file was never written to the disk.",
    cause: "The power failed after the file had its length and before the disk had its content, or a copy ended early.",
    repair: "A whole copy among the temporary files is put in its place. Where there is none, everything that can "
      + "still be read is kept and the damaged file is set aside.",
    loss: "What was not written; it is recorded in the document.")
  static let notDownloaded = ProblemKind(
    "LN1301", "not-downloaded", .error, .operational,
    rule: "Every file of a document is on the disk that is checked.",
    message: "{what} in iCloud, not on this disk: {places}.",
    cause:
      "iCloud keeps files that were not used for a while on its servers only, and leaves a small mark in their place. "
      + "This is not a loss.",
    repair: "None. On the iPad or Mac that has the document: select it in Files or Finder, choose Download Now, wait "
      + "until the cloud mark is gone, then check again, or make a new ZIP there.", undo: nothingToUndo)
  static let conflictCopySame = ProblemKind(
    "LN1401", "conflict-copy-same", .info, .automatic,
    rule: "A document holds each of its files once.",
    message: "{file} is a second copy of {target}, and the same byte for byte.",
    cause: "A sync service or a file manager made the copy.",
    repair: "The copy is set aside.")
  static let conflictCopyDiffers = ProblemKind(
    "LN1402", "conflict-copy-differs", .warning, .consent,
    rule: "A document holds each of its files once.",
    message: "{file} has the name of a second copy of {target}, and is not the same.",
    cause: "Two devices changed the document at one time and a sync service kept both, or a file manager copied it.",
    repair: "Where the document's own file is missing or damaged and the copy is whole, the copy takes its place. "
      + "Where a page and its copy are both whole, the copy becomes a page of its own behind that page, and its file "
      + "is set aside: the page stays as it is, and nothing is merged. Any other copy stays where it is.")
  static let temporaryLeftover = ProblemKind(
    "LN1501", "temp-leftover", .info, .automatic,
    rule: "No temporary file stays behind.",
    message: "A temporary file was left behind: {file}. Nothing needs it.",
    cause: "The app was ended in the middle of a save. What was saved before is whole.",
    repair: "The temporary file is set aside.")
  static let temporaryNewer = ProblemKind(
    "LN1502", "temp-newer", .warning, .consent,
    rule: "No other file in the document is newer than the page or document.json in use.",
    message: "{file} is a newer version of {target}, whole but never put in its place.",
    cause: "The app was ended between the last two steps of a save. Or a sync service or a person put the version of "
      + "another device beside it; that counts only where it has no less on it.",
    repair: "The save is finished: the newer version takes its place, the older one is set aside.")
  static let temporaryIsOnlyGoodCopy = ProblemKind(
    "LN1503", "temp-is-only-good-copy", .error, .consent,
    rule: "What the document needs stands under its own name.",
    message: "{file} is the only whole copy of {target}.",
    cause: "The app or the power failed in the middle of a save, or the file was renamed or moved within the document.",
    repair: "The file takes its place; what stood there is set aside.")
  static let secondName = ProblemKind(
    "LN1504", "second-name", .info, .automatic,
    rule: "Each file of a document has one name.",
    message: "{file} is a second name of {target}. Nothing needs it.",
    cause: "A repair was ended after it had given a file its own name, and before it took the other one away.",
    repair: "The second name is set aside; the file stays where it is.")
  static let foreignFile = ProblemKind(
    "LN1601", "foreign-file", .info, .report,
    rule: "A document holds only its own files.",
    message: "{file} belongs to the operating system, not to the document.",
    cause: "A file manager, a network share or a FUSE file system left it there.",
    repair: noRepair, undo: nothingToUndo)
  static let appleDouble = ProblemKind(
    "LN1602", "apple-double", .info, .report,
    rule: "A document holds only its own files.",
    message: "{file} holds what macOS keeps about another file, such as its labels; nothing of the notes is in it.",
    cause: "A Mac wrote to a disk or made an archive that knows no such properties.",
    repair: noRepair, undo: nothingToUndo)
  static let unknownFile = ProblemKind(
    "LN1603", "unknown-file", .warning, .report,
    rule: "A document holds only its own files.",
    message: "{file} is not known to this tool; a newer app may own it. It stays.",
    cause: "Someone put it there, a sync service did, or a newer version of the app. What it holds of this document is "
      + "told with it.",
    repair: noRepair, undo: nothingToUndo)
}
