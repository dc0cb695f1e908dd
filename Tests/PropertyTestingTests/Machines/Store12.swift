@testable import PropertyTesting

/// A store with a journal in small. Its mistake: what is collected may still be needed by an undo.
///
/// The picture of a page is collected when no saved page shows it; an undo shows it again, is saved, and after a crash
/// the page shows a picture that is not there.
struct Store12: Planted {
  enum Action: Hashable {
    case create, addPage, save, sync, checkpoint, collect, undo, crash, open
    case insert(Int)
    case remove(Int)
    case stroke(Int)
  }

  static let pictures = 3

  static let rules: [PlantedRule<Action>] = [
    ("create", { _ in .create }),
    ("stroke", { .stroke($0.int(in: 0...9)) }),
    ("add-page", { _ in .addPage }),
    ("insert", { .insert($0.int(in: 0...(pictures - 1))) }),
    ("remove", { .remove($0.int(in: 0...(pictures - 1))) }),
    ("save", { _ in .save }),
    ("sync", { _ in .sync }),
    ("checkpoint", { _ in .checkpoint }),
    ("collect", { _ in .collect }),
    ("undo", { _ in .undo }),
    ("crash", { _ in .crash }),
    ("open", { _ in .open }),
  ]
  static let actions: [Action] =
    [.create, .addPage, .save, .sync, .checkpoint, .collect, .undo, .crash, .open]
    + (0..<pictures).flatMap { [.insert($0), .remove($0)] }

  private var exists = false
  private var isOpen = false
  private var hasPage = false
  private var strokes = 0
  /// What the open page shows, and what it showed before the last removal.
  private var shown: Set<Int> = []
  private var undone: Set<Int>?
  /// What the journal says, and whether a crash leaves it; then what the checkpoint says.
  private var journal: Set<Int>?
  private var isSynced = false
  private var stored: Set<Int> = []
  private var files: Set<Int> = []
  /// Pictures that no checkpoint has passed yet: they are not collected. Then those among them that the journal knows.
  private var fresh: Set<Int> = []
  private var known: Set<Int> = []
  private(set) var isBroken = false

  func allows(rule: Int) -> Bool {
    switch Store12.rules[rule].name {
    case "create": !exists
    case "open": exists && !isOpen
    default: isOpen
    }
  }

  mutating func take(_ action: Action) -> Bool {
    switch action {
    case .create: return create()
    case .open: return openAgain()
    default: break
    }
    guard isOpen else { return false }
    switch action {
    case .stroke: strokes = min(strokes + 1, 1)
    case .addPage: hasPage = true
    case .insert(let picture):
      guard hasPage else { return false }
      shown.insert(picture)
      files.insert(picture)
      fresh.insert(picture)
      known.remove(picture)
    case .remove(let picture):
      guard shown.contains(picture) else { return false }
      undone = shown
      shown.remove(picture)
    case .undo:
      guard let before = undone else { return false }
      shown = before
      undone = nil
    case .save:
      journal = shown
      known = fresh
      isSynced = false
    case .sync:
      guard journal != nil else { return false }
      isSynced = true
    case .checkpoint:
      guard let journal else { return false }
      stored = journal
      fresh.subtract(known)
      self.journal = nil
    case .collect:
      // Nothing is collected while the journal holds something.
      guard journal == nil else { return false }
      files.formIntersection(stored.union(fresh))
    case .crash: close()
    case .create, .open: return false
    }
    return true
  }

  private mutating func create() -> Bool {
    guard !exists else { return false }
    exists = true
    isOpen = true
    return true
  }

  private mutating func close() {
    isOpen = false
    if !isSynced { journal = nil }
    shown = []
    undone = nil
    strokes = 0
  }

  private mutating func openAgain() -> Bool {
    guard exists, !isOpen else { return false }
    isOpen = true
    shown = journal ?? stored
    isBroken = !shown.isSubset(of: files)
    return true
  }
}
