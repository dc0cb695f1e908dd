@testable import PropertyTesting

/// Small tests that are known to be hard to make small, after jlink's shrinking challenge.
enum Challenges {
  private static func list(_ source: ChoiceSource, _ range: ClosedRange<Int>, _ numbers: ClosedRange<Int>) -> [Int] {
    var list: [Int] = []
    var elements = source.many(range)
    while elements.next() { list.append(source.int(in: numbers)) }
    return list
  }

  /// Five lists of 16-bit numbers, each with a sum below 256; all of them together wrap around.
  static var bound5: Property {
    Property("bound5") { source in
      let lists = (0..<5).map { _ in source.span("list") { list(source, 0...10, -32768...32767) } }
      func sum(_ numbers: [Int]) -> Int16 { numbers.reduce(0) { $0 &+ Int16($1) } }
      guard lists.allSatisfy({ sum($0) < 256 }) else { return .invalid }
      source.tell("\(lists)")
      return sum(lists.flatMap { $0 }) < 5 * 256 ? .holds : .fails(bucket: "wrapped")
    }
  }

  /// Lists of numbers with five different ones in all.
  static var largeUnionList: Property {
    Property("large_union_list") { source in
      var lists: [[Int]] = []
      var elements = source.many(0...20, "list")
      while elements.next() { lists.append(list(source, 0...20, Int(Int32.min)...Int(Int32.max))) }
      source.tell("\(lists)")
      return Set(lists.flatMap { $0 }).count <= 4 ? .holds : .fails(bucket: "large")
    }
  }

  /// A count is drawn first, then so many numbers, of which one is 900 or more.
  static var lengthList: Property {
    Property("lengthlist") { source in
      let count = source.int(in: 1...100)
      let numbers = (0..<count).map { _ in source.int(in: 0...1000) }
      source.tell("\(numbers)")
      return numbers.max()! < 900 ? .holds : .fails(bucket: "900")
    }
  }

  /// A list that is not its own reverse.
  static var reverse: Property {
    Property("reverse") { source in
      let numbers = list(source, 0...50, Int(Int32.min)...Int(Int32.max))
      source.tell("\(numbers)")
      return numbers == numbers.reversed() ? .holds : .fails(bucket: "reverse")
    }
  }

  private indirect enum Expression {
    case number(Int)
    case sum(Expression, Expression)
    case quotient(Expression, Expression)

    var text: String {
      switch self {
      case .number(let value): "\(value)"
      case .sum(let left, let right): "(\(left.text) + \(right.text))"
      case .quotient(let left, let right): "(\(left.text) / \(right.text))"
      }
    }

    /// Nil where something is divided by zero.
    var value: Int? {
      switch self {
      case .number(let value): return value
      case .sum(let left, let right):
        guard let left = left.value, let right = right.value else { return nil }
        return left &+ right
      case .quotient(let left, let right):
        guard let left = left.value, let right = right.value, right != 0 else { return nil }
        return left.dividedReportingOverflow(by: right).partialValue
      }
    }

    /// True where a divisor is the number 0 itself.
    var dividesByZero: Bool {
      switch self {
      case .number: false
      case .sum(let left, let right): left.dividesByZero || right.dividesByZero
      case .quotient(_, .number(0)): true
      case .quotient(let left, let right): left.dividesByZero || right.dividesByZero
      }
    }
  }

  private static func expression(_ source: ChoiceSource, _ depth: Int = 0) -> Expression {
    source.span("expression") {
      switch source.int(in: 0...(depth < 8 ? 2 : 0)) {
      case 0: return .number(source.int(in: -1000...1000))
      case 1: return .sum(expression(source, depth + 1), expression(source, depth + 1))
      default: return .quotient(expression(source, depth + 1), expression(source, depth + 1))
      }
    }
  }

  /// Sums and quotients, none with the divisor 0; but a divisor may come to 0.
  static var calculator: Property {
    Property("calculator") { source in
      let expression = expression(source)
      guard !expression.dividesByZero else { return .invalid }
      source.tell(expression.text)
      return expression.value == nil ? .fails(bucket: "division") : .holds
    }
  }
}
