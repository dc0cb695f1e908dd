/// Numbers as people read them.
package enum Figures {
  /// "22,336".
  package static func grouped(_ number: Int) -> String {
    let digits = String(number.magnitude)
    var result = ""
    for (index, digit) in digits.enumerated() {
      if index > 0 && (digits.count - index) % 3 == 0 { result += "," }
      result.append(digit)
    }
    return (number < 0 ? "-" : "") + result
  }

  /// "1 page", "2 pages", "1,317 pages"; `many` is `one` with an s where nil.
  package static func counted(_ number: Int, _ one: String, _ many: String? = nil) -> String {
    "\(grouped(number)) \(number == 1 ? one : many ?? one + "s")"
  }

  /// A size in decimal units, one decimal below 10: "812 bytes", "1.8 MB", "208 MB", "1.2 GB".
  package static func size(bytes: Int) -> String {
    if bytes < 1000 { return counted(bytes, "byte") }
    var unit = 1000
    var names = ["kB", "MB", "GB", "TB", "PB", "EB"][...]
    // Rounded up to a thousand of a unit it is one of the next: never "1000 kB".
    while names.count > 1 && rounded(bytes, unit) >= 1000 {
      unit *= 1000
      names = names.dropFirst()
    }
    let tenths = rounded(bytes, unit / 10)
    let number = tenths < 100 ? "\(tenths / 10).\(tenths % 10)" : "\(rounded(bytes, unit))"
    return "\(number) \(names.first ?? "")"
  }

  /// The quotient, a half rounded up, for every number; `unit` is even.
  private static func rounded(_ number: Int, _ unit: Int) -> Int { (number / (unit / 2) + 1) / 2 }

  /// A time in the largest unit that fits: "0.3 s", "41 s", "4 min 10 s", "2 h 5 min".
  package static func time(milliseconds: Int) -> String {
    if milliseconds < 9950 { return "\((milliseconds + 50) / 1000).\((milliseconds + 50) / 100 % 10) s" }
    let seconds = (milliseconds + 500) / 1000
    if seconds < 60 { return "\(seconds) s" }
    if seconds < 3600 { return "\(seconds / 60) min" + (seconds % 60 == 0 ? "" : " \(seconds % 60) s") }
    let minutes = seconds / 60
    return "\(minutes / 60) h" + (minutes % 60 == 0 ? "" : " \(minutes % 60) min")
  }
}
