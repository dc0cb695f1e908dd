import LNoteFormat

/// Some elements of a page that stand behind each other, and what comes in their place.
struct PageSplice: Sendable {
  /// Where they begin.
  let place: Int
  let old: [PageElement]
  let new: [PageElement]

  /// The splice that takes this one back.
  var reversed: PageSplice { PageSplice(place: place, old: new, new: old) }

  /// True where elements come that were not there.
  var gains: Bool { !Set(new.map(\.id)).isSubset(of: Set(old.map(\.id))) }

  /// True where elements go.
  var loses: Bool { reversed.gains }

  /// By how many bytes the page's file grows.
  var frameBytesMore: Int {
    new.reduce(0) { $0 + $1.frameBytes } - old.reduce(0) { $0 + $1.frameBytes }
  }
}

/// What a document can take back, and what it has taken back.
struct UndoStacks {
  /// A change of one page.
  struct Change {
    let page: NoteID
    let splice: PageSplice
  }

  private(set) var done: [Change] = []
  private(set) var undone: [Change] = []

  /// A change that is not an undo: what was taken back can no longer come again.
  mutating func note(_ change: Change) {
    undone = []
    done.append(change)
    if done.count > StoreCommand.undoEditsMax { done.removeFirst() }
  }

  /// The last change was taken back.
  mutating func undo() { if let last = done.popLast() { undone.append(last) } }

  /// The change that was taken back last was made again.
  mutating func redo() { if let last = undone.popLast() { done.append(last) } }

  /// Changes of a page that is gone cannot be taken back.
  mutating func forget(_ page: NoteID) {
    done.removeAll { $0.page == page }
    undone.removeAll { $0.page == page }
  }
}
