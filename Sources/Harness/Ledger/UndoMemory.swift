import LNoteStore

/// Which changes of a document the user can take back, as the judge remembers them.
struct UndoMemory: Hashable, Sendable {
  /// A change of a page, from one of its versions to another.
  struct Step: Hashable, Sendable {
    let page: PageName
    let before: Int
    let after: Int
  }

  private var done: [Step] = []
  private var undone: [Step] = []

  /// A change that is not an undo.
  mutating func note(_ step: Step) {
    undone = []
    done.append(step)
  }

  /// The change that is taken back now; nil where there is none.
  mutating func undo() -> Step? {
    guard let last = done.popLast() else { return nil }
    undone.append(last)
    return last
  }

  /// The change that is made again now.
  mutating func redo() -> Step? {
    guard let last = undone.popLast() else { return nil }
    done.append(last)
    return last
  }

  /// The page is gone.
  mutating func forget(_ page: PageName) {
    done.removeAll { $0.page == page }
    undone.removeAll { $0.page == page }
  }
}
