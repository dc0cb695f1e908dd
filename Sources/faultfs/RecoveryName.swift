/// How a state behind two crashes is called: "at rename t, lost: nothing, then at unlink journal, lost: nothing".
enum RecoveryName {
  private static let joint = ", then "

  /// The name of a state of a recovery that began in another.
  static func name(of second: String, behind first: String) -> String { first + joint + second }

  /// How a name may be read: as one, or, at depth 2, as two wherever it could be cut.
  static func readings(of name: String, depth: Int) -> [(first: String, second: String?)] {
    var readings: [(first: String, second: String?)] = [(name, nil)]
    if depth > 1 {
      for cut in name.ranges(of: joint) {
        readings.append((String(name[..<cut.lowerBound]), String(name[cut.upperBound...])))
      }
    }
    return readings
  }
}
