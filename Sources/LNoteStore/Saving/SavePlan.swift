import LNoteFormat

/// The order in which a save puts pages on the medium; decided on values alone.
enum SavePlan {
  /// What a page's edits since its last save did to the set of its elements.
  struct Change: Hashable {
    let page: NoteID
    let hasGained: Bool
    let hasLost: Bool

    /// Earlier groups are on the medium before later ones.
    var group: Int {
      switch (hasGained, hasLost) {
      case (true, false): 0
      case (false, false): 1
      case (true, true): 2
      case (false, true): 3
      }
    }
  }

  /// Pages that gained elements before those that lost some, so that an element moved between pages is always in one.
  ///
  /// Within a group the given order stays.
  static func order(_ changes: [Change]) -> [NoteID] {
    (0...3).flatMap { group in changes.filter { $0.group == group }.map(\.page) }
  }
}
