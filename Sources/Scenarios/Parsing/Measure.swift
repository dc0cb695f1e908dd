import FileTracing

/// A kind of quantity with units: what its figures mean, and what to say where they are wrong.
struct Measure: Sendable {
  /// "a size".
  let article: String
  /// "64KiB".
  let example: String
  /// What to write in place of a number without unit.
  let units: (String, String)
  /// What one of each unit is worth in the smallest one.
  let worth: [(unit: String, value: UInt64)]
  /// The smallest unit in words.
  let smallest: String
  /// The largest value.
  let valueMax: UInt64

  static let size = Measure(
    article: "a size", example: "64KiB", units: ("KiB", "MiB"),
    worth: PlanUnits.sizes, smallest: "bytes", valueMax: 1 << 40)

  static let duration = Measure(
    article: "a duration", example: "600ms", units: ("ms", "s"),
    worth: PlanUnits.durations, smallest: "milliseconds",
    valueMax: 366 * 24 * 3_600_000)

  struct Complaint: Error { var text: String }

  /// The value of the figures in the smallest unit.
  func read(digits: String, suffix: String) -> Result<UInt64, Complaint> {
    let spelling = digits + suffix
    guard let worth = worth.first(where: { $0.unit == suffix })?.value else {
      return .failure(Complaint(text: complaint(digits: digits, suffix: suffix)))
    }
    guard let numeral = Parser.numeral(digits) else { return .failure(Complaint(text: Parser.tooLarge(digits))) }
    let (product, overflow) = UInt64(numeral.millionths).multipliedReportingOverflow(by: worth)
    guard !overflow, product / 1_000_000 <= valueMax else {
      return .failure(Complaint(text: "'\(spelling)' is too large"))
    }
    guard product % 1_000_000 == 0 else {
      return .failure(Complaint(text: "'\(spelling)' is not a whole number of \(smallest)"))
    }
    return .success(product / 1_000_000)
  }

  private func complaint(digits: String, suffix: String) -> String {
    if suffix.isEmpty { return "\(article) needs a unit - write \(digits)\(units.0) or \(digits)\(units.1)" }
    for other in [Measure.size, Measure.duration] where other.worth.contains(where: { $0.unit == suffix }) {
      return "'\(digits)\(suffix)' is \(other.article) - \(article) is needed here, such as \(example)"
    }
    return Measure.unknownUnit(suffix)
  }

  static func unknownUnit(_ suffix: String) -> String {
    guard let ours = Synonyms.unit(suffix) else {
      return "'\(suffix)' is not a unit - sizes have B, KiB, MiB, GiB, durations ms, s, min, h"
    }
    return "'\(suffix)' is not a unit here - write \(ours)"
  }

  /// A number with or without a unit, whatever it measures.
  static func scalar(digits: String, suffix: String) -> Result<ScalarSyntax.Value, Complaint> {
    if suffix.isEmpty {
      guard let numeral = Parser.numeral(digits) else { return .failure(Complaint(text: Parser.tooLarge(digits))) }
      return .success(.number(numeral))
    }
    if size.worth.contains(where: { $0.unit == suffix }) {
      return size.read(digits: digits, suffix: suffix).map { .size($0) }
    }
    if duration.worth.contains(where: { $0.unit == suffix }) {
      return duration.read(digits: digits, suffix: suffix).map { .duration($0) }
    }
    return .failure(Complaint(text: unknownUnit(suffix)))
  }
}
