/// One thing that is wrong, odd or not possible yet in a scenario or plan, with its place.
package struct Diagnostic: Hashable, Sendable {
  /// How grave it is.
  package enum Severity: String, Sendable {
    /// The file is wrong.
    case error
    /// The file is right, but this version does not run this part of it. Shown as an error.
    case notYet
    /// Probably not what was meant; runs all the same.
    case warning
  }

  /// How grave it is.
  package let severity: Severity
  /// Where.
  package let place: SourcePlace
  /// One sentence without a full stop: what is wrong, and what to write.
  package let message: String

  /// A diagnostic of these values.
  package init(_ severity: Severity, _ place: SourcePlace, _ message: String) {
    self.severity = severity
    self.place = place
    self.message = message
  }

  /// The word behind the place: "error" or "warning".
  package var word: String { severity == .warning ? "warning" : "error" }

  /// How many a reading reports; the rest is left out, since most of it would follow from the first ones.
  package static let countMax = 20
}
