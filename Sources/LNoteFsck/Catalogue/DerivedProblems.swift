extension ProblemKind {
  static let manifestMissing = ProblemKind(
    "LN5001", "manifest-missing", .warning, .automatic,
    rule: "A document holds manifest.json, from which the library shows it.",
    message: "manifest.json, the library's summary, is missing.",
    cause: "The app was ended before it was written. Everything in it stands in document.json as well.",
    repair: "It is made again from document.json.")
  static let manifestDamaged = ProblemKind(
    "LN5002", "manifest-damaged", .warning, .automatic,
    rule: "manifest.json can be read and agrees with its checksum.",
    message: "manifest.json, the library's summary, is damaged: {reason}.",
    cause: "The power failed while it was written. Everything in it stands in document.json as well.",
    repair: "It is made again from document.json.")
  static let manifestStale = ProblemKind(
    "LN5003", "manifest-stale", .warning, .automatic,
    rule: "manifest.json says the same as document.json.",
    message: "manifest.json, the library's summary, is not up to date: {fields}.",
    cause: "The app was ended after document.json was saved and before manifest.json was.",
    repair: "It is made again from document.json.")
  static let thumbnailMissing = ProblemKind(
    "LN5101", "thumbnail-missing", .info, .automatic,
    rule: "Every page has its small picture in the folder thumbnails.",
    message: "{what} no small picture{which}.",
    cause: "The app was ended before it was drawn, or the app that wrote the page draws none.",
    repair: "It is drawn from the page. A page that is damaged gets none before it is repaired.")
  static let thumbnailStale = ProblemKind(
    "LN5102", "thumbnail-stale", .info, .automatic,
    rule: "The small picture of a page shows the page as it was saved last.",
    message: "The small {what} not up to date{which}.",
    cause: "The app was ended after the page was saved and before its small picture was. A small picture says itself "
      + "which page it shows, and in which version; one that says nothing is left alone.",
    repair: "It is drawn anew from the page, and the old one is set aside. One that shows a later version of the page "
      + "than is there may be the last picture of it: it is reported as a warning, and repaired by -y only.")
  static let thumbnailDamaged = ProblemKind(
    "LN5103", "thumbnail-damaged", .info, .automatic,
    rule: "The small picture of a page is a whole picture.",
    message: "The small {what} damaged{which}{reason}.",
    cause: "The power failed while it was written, or the disk changed part of it. The page itself is whole.",
    repair: "It is drawn anew from the page, and the old one is set aside. That of a damaged page stays as it is until "
      + "the page is repaired: it may be the last picture of it.")
  static let thumbnailUnused = ProblemKind(
    "LN5104", "thumbnail-orphan", .info, .automatic,
    rule: "Every small picture belongs to a page of the document.",
    message: "{what} not in the document any more.",
    cause: "The app was ended after a page was deleted and before its small picture was.",
    repair: "It is set aside. While a page is damaged or missing it stays: it may be the last picture of it.")
}
