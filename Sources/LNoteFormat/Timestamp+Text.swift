extension Timestamp {
  /// RFC 3339 in UTC with milliseconds, "2026-07-01T09:30:00.000Z", 24 characters.
  ///
  /// A moment before the year 0 or after the year 9999 is written as the nearest one between.
  package var text: String {
    let clamped = min(max(milliseconds, Timestamp.first), Timestamp.last)
    let days = clamped.dividedDown(by: Timestamp.dayMilliseconds)
    let rest = clamped - days * Timestamp.dayMilliseconds
    let (year, month, day) = Timestamp.date(ofDay: days)
    let seconds = rest / 1000
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T"
      + "\(padded(seconds / 3600, 2)):\(padded(seconds / 60 % 60, 2)):\(padded(seconds % 60, 2))"
      + ".\(padded(rest % 1000, 3))Z"
  }

  /// The moment that `text` writes, in exactly the form that `text` has; nil for anything else.
  ///
  /// Days that no month has and leap seconds are refused.
  package init?(text: some StringProtocol) {
    let bytes = Array(text.utf8)
    let form = Array("0000-00-00T00:00:00.000Z".utf8)
    guard bytes.count == form.count else { return nil }
    for (byte, expected) in zip(bytes, form) {
      let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      guard expected == UInt8(ascii: "0") ? isDigit : byte == expected else { return nil }
    }
    func number(_ range: Range<Int>) -> Int64 { bytes[range].reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) } }
    let (year, month, day) = (number(0..<4), number(5..<7), number(8..<10))
    let (hour, minute, second) = (number(11..<13), number(14..<16), number(17..<19))
    guard (1...12).contains(month), day >= 1, hour < 24, minute < 60, second < 60 else { return nil }
    let days = Timestamp.day(year: year, month: month, day: day)
    // A day that the month does not have comes back as one of the next month.
    guard Timestamp.date(ofDay: days) == (year, month, day) else { return nil }
    milliseconds = days * Timestamp.dayMilliseconds + (hour * 3600 + minute * 60 + second) * 1000 + number(20..<23)
  }

  private static let dayMilliseconds: Int64 = 86_400_000
  private static let first = day(year: 0, month: 1, day: 1) * dayMilliseconds
  private static let last = day(year: 10_000, month: 1, day: 1) * dayMilliseconds - 1

  /// Days since 1970-01-01 of a date in the Gregorian calendar, which is taken back before its time too.
  ///
  /// Years are counted from March, so that the leap day is the last; 400 years have 146,097 days.
  private static func day(year: Int64, month: Int64, day: Int64) -> Int64 {
    let marchYear = month > 2 ? year : year - 1
    let era = marchYear.dividedDown(by: 400)
    let yearOfEra = marchYear - era * 400
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// The date of a day since 1970-01-01: the inverse of `day`.
  private static func date(ofDay days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = days + 719_468
    let era = shifted.dividedDown(by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
  }
}

private func padded(_ number: Int64, _ width: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}

extension Int64 {
  /// The quotient rounded down, also for negative numbers.
  fileprivate func dividedDown(by divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}
