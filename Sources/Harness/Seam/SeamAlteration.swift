/// A change to one sync, rename or unlink: what the store would do if its code were a little different.
///
/// It shows whether the step is needed as it stands: where nothing fails with the change, it is not.
package struct SeamAlteration: Hashable, Sendable {
  /// What becomes of the step.
  package enum Way: String, CaseIterable, Hashable, Sendable {
    /// It is not made, and called done.
    case dropped
    /// It is made behind the next call that changes anything.
    case postponed
    /// It is made behind the sync, rename or unlink that comes next.
    case swapped
    /// A sync of a file: the second half of what was written in front of it is written behind it.
    case halved
    /// A rename: the target is written anew with the bytes of the source, which is removed.
    case copied
    /// A rename: the target is removed, then linked to the source, which is removed.
    case linked
    /// An unlink: the file is cut to nothing first.
    case emptied

    /// True where a step of this kind can be altered in this way.
    ///
    /// A directory has no half that a call could sync, and an unlink is one change of one name.
    package func alters(_ kind: SeamStep.Kind) -> Bool {
      switch self {
      case .dropped, .postponed, .swapped: true
      case .halved: kind == .fileSync
      case .copied, .linked: kind == .rename
      case .emptied: kind == .unlink
      }
    }
  }

  /// What becomes of the step.
  package let way: Way
  /// The place of the step among all of the run, from 0.
  package let index: Int

  /// The change of the step at this place.
  package init(_ way: Way, _ index: Int) {
    self.way = way
    self.index = index
  }
}
