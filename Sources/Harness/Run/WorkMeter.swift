/// Counts the steps that a run takes, those of every crash state included.
///
/// The same on every machine, unlike time.
package final class WorkMeter {
  /// How many steps may be taken; nil for any number.
  package let most: Int?
  /// How many were taken.
  package private(set) var done = 0

  /// A meter that ends a run behind so many steps.
  package init(most: Int? = nil) { self.most = most }

  /// Why no other step may be taken; nil where one may.
  var trouble: String? { refusal?.description }

  private var refusal: HarnessError? { most.flatMap { done >= $0 ? .tooMuchWork(steps: $0) : nil } }

  /// Counts a step, or ends the run where it is one too many.
  func step() throws(HarnessError) {
    if let refusal { throw refusal }
    done += 1
  }
}
