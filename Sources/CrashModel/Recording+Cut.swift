import FaultDisk
import FileTracing

extension Recording {
  /// What was done until a rule cut the power, as if no rule had been there, and when that was.
  ///
  /// The moment is the number of the operation that the cut came into; the greatest number where all were answered.
  package var untilCut: (recording: Recording, moment: UInt64) {
    var result = self
    guard let place = records.lastIndex(where: \.endsInPowerCut) else { return (self, .max) }
    var record = records[place]
    let phase = record.firedPhase
    record.firedEnding = nil
    guard record.firedEffect?.word == .powerCut else {
      result.records[place] = record
      return (result, .max)
    }
    record.firedEffect = nil
    // Before: it did not happen, and its error stands.
    if phase != .before { record.errno = nil }
    result.records[place] = record
    return (result, phase == .during ? record.number : .max)
  }
}

extension OperationRecord {
  fileprivate var endsInPowerCut: Bool {
    firedEffect?.word == .powerCut || firedEnding?.effect.word == .powerCut
  }
}
