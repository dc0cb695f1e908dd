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
}
