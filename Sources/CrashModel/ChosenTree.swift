import FaultDisk
import FileTracing
import Files

/// Why a state that was chosen by words cannot be.
package enum ChoiceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No operation of the run is so.
  case noSuchOperation(String)
  /// Each model forbids it, for a reason of its own.
  case forbidden([Refusal])
  /// The recording itself cannot be explored.
  case history(HistoryError)

  /// Why one model forbids it.
  package struct Refusal: Hashable, Sendable {
    /// The model's name.
    package let model: String
    /// The rule, without a full stop.
    package let reason: String
  }

  /// One sentence without a full stop.
  package var description: String {
    switch self {
    case .noSuchOperation(let spelling): return "there was no '\(spelling)' before the cut"
    case .history(let error): return "no crash states can be made of this run: \(error)"
    case .forbidden(let refusals):
      var models: [(reason: String, names: [String])] = []
      for refusal in refusals {
        if let known = models.firstIndex(where: { $0.reason == refusal.reason }) {
          models[known].names.append(refusal.model)
        } else {
          models.append((refusal.reason, [refusal.model]))
        }
      }
      return "no model allows it: "
        + models.map { "\($0.reason) (\($0.names.joined(separator: ", ")))" }
        .joined(separator: "; ")
    }
  }
}

/// A tree that was chosen by words, and the models that allow it.
package struct ChosenTree: Sendable {
  /// The tree.
  package let tree: DiskTree
  /// The models that allow it, in their order; never empty.
  package let models: [PersistenceModel]

  /// Finds the tree that a crash at `moment` leaves, of those that one of the models allows.
  ///
  /// - Parameter moment: the number of the record under way; the greatest number is behind the last.
  package init(
    _ chosen: ChosenState, of recording: Recording, at moment: UInt64, among models: [PersistenceModel]
  ) throws(ChoiceError) {
    let meant = try Self.meaning(of: chosen, in: recording)
    var refusals: [ChoiceError.Refusal] = []
    var found: DiskTree?
    var allowing: [PersistenceModel] = []
    do throws(HistoryError) {
      for model in models {
        let window = try CrashWindow(recording, model, isPowerCut: true, at: moment)
        if let found {
          if window.allows(found) { allowing.append(model) }
          continue
        }
        let making = TreeMaking(window, chosen.choice, meant)
        if let reason = making.refusal {
          refusals.append(ChoiceError.Refusal(model: model.name, reason: reason))
        } else {
          found = making.tree
          allowing.append(model)
        }
      }
      // A model in front of the one that made it may allow it all the same.
      if let found {
        for model in models.prefix(refusals.count) {
          let window = try CrashWindow(recording, model, isPowerCut: true, at: moment)
          if window.allows(found) { allowing.append(model) }
        }
      }
    } catch {
      throw .history(error)
    }
    guard let found else { throw .forbidden(refusals) }
    tree = found
    self.models = models.filter { model in allowing.contains { $0.name == model.name } }
  }

  /// What is meant of each record, by its number.
  private static func meaning(
    of chosen: ChosenState, in recording: Recording
  ) throws(ChoiceError) -> [UInt64: [Meant]] {
    var meant: [UInt64: [Meant]] = [:]
    for part in chosen.parts {
      var matching = recording.records.filter { $0.errno == nil && part.matches($0) }
      if let nth = part.nth {
        matching = nth <= UInt64(matching.count) ? [matching[Int(nth) - 1]] : []
      }
      if matching.isEmpty { throw .noSuchOperation(part.spelling) }
      for record in matching {
        meant[record.number, default: []].append(
          Meant(side: part.target.side, bytes: part.bytes, spelling: part.spelling))
      }
    }
    return meant
  }
}

/// What words say of one record.
private struct Meant {
  var side: FaultTarget.Side
  var bytes: ChosenState.Amount?
  var spelling: String
}

/// The making of a tree from a window: what is durable, and of what came since that which is kept.
private struct TreeMaking {
  private let window: CrashWindow
  private let choice: ChosenState.Choice
  private let meant: [UInt64: [Meant]]
  private(set) var tree: DiskTree?
  /// Why the model forbids it; nil where it does not.
  private(set) var refusal: String?

  init(_ window: CrashWindow, _ choice: ChosenState.Choice, _ meant: [UInt64: [Meant]]) {
    self.window = window
    self.choice = choice
    self.meant = meant
    if choice == .losing, let durable {
      refusal = "'\(durable)' is durable already"
      return
    }
    let namespace = names()
    var contents: [UInt64: FileChoice] = [:]
    for (_, inode) in namespace.reachable {
      guard let file = window.files[inode] else { continue }
      contents[inode] = content(of: file)
    }
    let cut = Cut(namespace: namespace, firstLost: .max)
    let made = window.tree(cut, namespace.reachable, contents)
    tree = made
    if window.allows(made) { return }
    refusal =
      window.hasNames(of: made)
      ? "data is not kept or lost so, with these names" : "names are not kept or lost in this order"
  }

  /// The spelling of an operation that is to be lost and no longer can.
  private var durable: String? {
    var open = Set(window.pending.filter { !$0.changes.isEmpty }.map(\.record))
    for file in window.files.values { open.formUnion(file.events.map(\.record)) }
    return meant.keys.sorted().first { !open.contains($0) }.flatMap { meant[$0]?.first?.spelling }
  }

  /// A slot that has lost a change has lost those behind it.
  private func names() -> Namespace {
    var namespace = window.base
    var closed: Set<Slot> = []
    for change in window.pending {
      for (place, part) in change.changes.enumerated() where !closed.contains(part.slot) {
        if isKept(change.record, place) {
          namespace.apply(part)
        } else if choice == .losing {
          closed.insert(part.slot)
        }
      }
    }
    return namespace
  }

  /// Whether the change at this place of a record is there: of a rename the first takes a name away.
  private func isKept(_ record: UInt64, _ place: Int) -> Bool {
    let isMeant = (meant[record] ?? []).contains { meant in
      switch meant.side {
      case .either: true
      case .from: place == 0
      case .to: place > 0
      }
    }
    return isMeant == (choice == .keeping)
  }

  private func content(of file: FileWindow) -> FileChoice {
    var size = SizePick(size: file.base.size, version: 0)
    var versions: [UInt64: Int] = [:]
    var isSizeClosed = false
    var closed: Set<UInt64> = []
    for (index, event) in file.events.enumerated() {
      let (isSizeKept, end) = sizeKept(of: event)
      if event.isResizing && !isSizeClosed {
        if isSizeKept { size = SizePick(size: end ?? event.size, version: index + 1) }
        if end != nil || !isSizeKept && choice == .losing { isSizeClosed = true }
      }
      for block in file.changedBlocks(in: event.blocks) where !closed.contains(block) {
        if isKept(block, of: event) {
          versions[block] = index + 1
        } else if choice == .losing {
          closed.insert(block)
        }
      }
    }
    let blocks = file.blocks.keys.sorted().filter { $0 * FileWindow.blockBytes < size.size }
    let picked = blocks.map { versions[$0] ?? 0 }
    return FileChoice(
      content: FileChoices.content(of: file, size, blocks, picked), size: size,
      versions: Dictionary(uniqueKeysWithValues: zip(blocks, picked)))
  }

  /// Whether the size that an event brings about is there, and where the file ends instead.
  private func sizeKept(of event: ContentEvent) -> (isKept: Bool, end: UInt64?) {
    guard let all = meant[event.record] else { return (choice == .losing, nil) }
    for meant in all {
      if case .upTo(let end)? = meant.bytes, end < event.size { return (end > event.sizeBefore, end) }
    }
    if all.contains(where: { $0.bytes == nil }) { return (choice == .keeping, nil) }
    return (true, nil)
  }

  private func isKept(_ block: UInt64, of event: ContentEvent) -> Bool {
    let low = block * FileWindow.blockBytes
    let isMeant = (meant[event.record] ?? []).contains { meant in
      switch meant.bytes {
      case nil: true
      case .upTo(let end): (low < end) == (choice == .keeping)
      case .blocks(let range): range.overlaps(low..<low + FileWindow.blockBytes)
      }
    }
    return isMeant == (choice == .keeping)
  }
}
