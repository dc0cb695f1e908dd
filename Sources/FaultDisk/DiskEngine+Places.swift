import FileTracing

extension DiskEngine {
  /// Where the bytes of the next write may be put outside the lock, so that `write` need not copy them.
  ///
  /// Nil where less than `bytesMax` fit in one piece, and while a rule is armed that spoils more of a write than its end.
  /// The place is good until the next write; who does not use it loses nothing.
  package mutating func placeForWrite(bytesMax: Int) -> UnsafeMutableRawPointer? {
    guard takesWritesInPlace else {
      arena.takeBackPlace()
      return nil
    }
    return arena.givePlace(bytesMax: bytesMax)
  }

  /// False while a rule is armed that spoils more of a write than its end.
  package var takesWritesInPlace: Bool { rules.allSatisfy { $0.effect.takesBeginnings } }

  /// Nobody writes any more where `placeForWrite` said.
  package mutating func takeBackPlaceForWrite() { arena.takeBackPlace() }
}

extension FaultEffect {
  /// True where what is taken of a write is its beginning, unchanged, or nothing.
  fileprivate var takesBeginnings: Bool {
    switch self {
    case .errno, .shortWrite, .tornRename, .powerCut, .kill: true
    default: false
    }
  }
}
