import Files

/// What taking a repair back came to.
package struct UndoReport: Sendable {
  /// The repair, by the name of its folder: "20261130T140212Z"; nil where there is none to take back.
  package internal(set) var repair: String?
  /// Places that are as they were before the repair, because of this run.
  package internal(set) var restored: [BytePath] = []
  /// New things of the repair that were taken out of the document.
  package internal(set) var removed: [BytePath] = []
  /// Places that stay as they are now, with the reason.
  package internal(set) var refused: [(path: BytePath, reason: UndoRefusal)] = []
  /// The call that ended it before its end.
  package internal(set) var failure: (failure: FileCallFailure, path: BytePath)?
  /// Where what the repair had made is now; nil where nothing of it was replaced.
  package internal(set) var lostAndFound: BytePath?

  /// True where this run changed something.
  package var didChange: Bool { !restored.isEmpty || !removed.isEmpty }
  /// True where something was not taken back.
  package var isUnfinished: Bool { repair == nil || !refused.isEmpty || failure != nil }
}

/// Why one place is not taken back.
package enum UndoRefusal: Hashable, Sendable {
  /// Somebody has changed it since the repair.
  case changed
  /// What the repair had set aside is gone or not what it was.
  case keptIsGone
  /// The folder that the repair made holds something now.
  case inUse
}
