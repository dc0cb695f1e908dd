/// The diagnostics of one reading, each said once.
struct DiagnosticList: Sendable {
  private(set) var all: [Diagnostic] = []
  private var said: Set<Diagnostic> = []

  /// The most that are collected before they are sorted and cut to `Diagnostic.countMax`.
  private static let collectedMax = 1000

  init(_ diagnostics: [Diagnostic] = []) {
    for diagnostic in diagnostics { add(diagnostic) }
  }

  /// True where something forbids a run.
  var forbidsRun: Bool { all.contains { $0.severity != .warning } }

  /// True where the file is wrong.
  var hasErrors: Bool { all.contains { $0.severity == .error } }

  mutating func add(_ severity: Diagnostic.Severity, _ place: SourcePlace, _ message: String) {
    add(Diagnostic(severity, place, message))
  }

  mutating func add(_ diagnostic: Diagnostic) {
    guard all.count < DiagnosticList.collectedMax, said.insert(diagnostic).inserted else { return }
    all.append(diagnostic)
  }

  mutating func add(_ list: DiagnosticList) {
    for diagnostic in list.all { add(diagnostic) }
  }

  /// The first ones in the order of the text. What forbids a run is never pushed out by warnings.
  var reported: [Diagnostic] {
    let numbered = all.enumerated().sorted { ($0.element.place, $0.offset) < ($1.element.place, $1.offset) }
    let sorted = numbered.map(\.element)
    guard sorted.count > Diagnostic.countMax else { return sorted }
    let grave = sorted.filter { $0.severity != .warning }
    return Array((grave.isEmpty ? sorted : grave).prefix(Diagnostic.countMax))
  }
}
