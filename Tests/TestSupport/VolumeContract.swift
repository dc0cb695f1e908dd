import Files

/// The rules V1 to V11 of `Volume` as checks that every volume must pass.
///
///     @Test(arguments: VolumeContract.rules) func keeps(rule: VolumeContract.Rule) throws {
///       #expect(try rule.violations(of: Subject(volume: fresh())) == [])
///     }
///
/// Each check needs a fresh, empty volume.
package enum VolumeContract {
  /// A fresh, empty volume, with the ways to make there what `Volume` itself cannot make.
  package struct Subject {
    /// The volume.
    package let volume: any Volume
    /// Makes a symbolic link: what it says, where it stands. Nil leaves those checks out.
    package let makeSymbolicLink: ((_ target: BytePath, _ path: BytePath) throws -> Void)?
    /// Makes a FIFO. Nil leaves those checks out.
    package let makeFIFO: ((_ path: BytePath) throws -> Void)?

    /// A subject of these.
    package init(
      volume: any Volume, makeSymbolicLink: ((BytePath, BytePath) throws -> Void)? = nil,
      makeFIFO: ((BytePath) throws -> Void)? = nil
    ) {
      self.volume = volume
      self.makeSymbolicLink = makeSymbolicLink
      self.makeFIFO = makeFIFO
    }
  }

  /// One rule, or a part of one.
  package struct Rule: Sendable, CustomStringConvertible {
    /// Its number and what it says: "V4 renameKeeping keeps the target".
    package let description: String
    let check: @Sendable (Subject, inout Violations) throws -> Void

    init(_ description: String, _ check: @escaping @Sendable (Subject, inout Violations) throws -> Void) {
      self.description = description
      self.check = check
    }

    /// What is not as the rule says; empty for a good volume.
    package func violations(of subject: Subject) -> [String] {
      var violations = Violations()
      do {
        try check(subject, &violations)
      } catch {
        violations.found.append("failed before it was checked to the end: \(error)")
      }
      return violations.found
    }
  }

  /// All rules, in the order of their numbers.
  package static let rules: [Rule] = linkRules + pathRules + nameRules + contentRules + lockRules + handleRules
}

/// What a check has found so far.
struct Violations {
  var found: [String] = []

  /// Notes `what` unless it holds.
  mutating func expect(_ holds: Bool, _ what: @autoclosure () -> String) {
    if !holds { found.append(what()) }
  }

  /// Notes `what` unless both are equal.
  mutating func expect<Value: Equatable>(_ what: String, _ value: Value, is expected: Value) {
    if value != expected { found.append("\(what) is \(value), not \(expected)") }
  }

  /// Notes unless the call fails with one of these errors.
  mutating func expect(_ what: String, fails errors: [Errno], _ call: () throws -> Void) {
    let names = errors.map(\.name).joined(separator: " or ")
    do {
      try call()
      found.append("\(what) succeeds instead of \(names)")
    } catch let error as FileCallError {
      if !errors.contains(error.errno) { found.append("\(what) fails with \(error.errno.name) instead of \(names)") }
    } catch {
      found.append("\(what) fails with \(error) instead of \(names)")
    }
  }
}
