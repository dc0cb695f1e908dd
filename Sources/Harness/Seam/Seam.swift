import Files
import Synchronization

/// Counts the syncs, renames and unlinks of a store, and says which of them is made differently.
///
/// One seam belongs to all volumes that a run gives its store, one after the other; outside of `begin` and `end` they
/// do what they are told.
package final class Seam: Sendable {
  /// A step that was called done, and waits to be made.
  private struct Held: Sendable {
    let call: SeamCall
    let volume: AlteredVolume
    /// True where a step has to come by first, and not any change.
    let waitsForStep: Bool
  }

  private struct State {
    var isOpen = false
    var command = ""
    var steps: [SeamStep] = []
    var held: Held?
  }

  private let alteration: SeamAlteration?
  private let state = Mutex(State())

  /// A seam that alters one step, or only looks on.
  package init(altering alteration: SeamAlteration? = nil) { self.alteration = alteration }

  /// The steps that were made between `begin` and `end`, altered or not.
  package var steps: [SeamStep] { state.withLock { $0.steps } }

  /// True where the altered step has come by.
  package var hasAltered: Bool { alteration.map { $0.index < steps.count } ?? false }

  /// Counts from here.
  package func begin() { state.withLock { $0 = State(isOpen: true) } }

  /// The end of the run: what still waits is made now, where it can be.
  package func end() {
    let held = state.withLock { state in
      defer { (state.isOpen, state.held) = (false, nil) }
      return state.held
    }
    if let held { try? held.volume.make(held.call) }
  }

  /// The word of the command that the store has begun.
  package func enter(_ command: String) { state.withLock { $0.command = command } }

  /// Counts a step that a volume is about to make: how it is altered; nil where it is made as it stands.
  func pass(
    _ call: SeamCall, _ kind: SeamStep.Kind, _ path: BytePath, on volume: AlteredVolume
  ) -> SeamAlteration.Way? {
    state.withLock { state in
      guard state.isOpen else { return nil }
      state.steps.append(SeamStep(kind: kind, path: path, command: state.command))
      guard let alteration, alteration.index == state.steps.count - 1, alteration.way.alters(kind) else { return nil }
      if alteration.way == .postponed || alteration.way == .swapped {
        state.held = Held(call: call, volume: volume, waitsForStep: alteration.way == .swapped)
      }
      return alteration.way
    }
  }

  /// True while the next step is a sync that shall cover half of what is written in front of it.
  var halvesNextSync: Bool {
    state.withLock { $0.isOpen && alteration?.way == .halved && alteration?.index == $0.steps.count }
  }

  /// The call that is due behind one that changed something, which is a step of the seam or is none.
  func due(behindStep isStep: Bool) -> SeamCall? {
    state.withLock { state in
      guard let held = state.held, isStep || !held.waitsForStep else { return nil }
      state.held = nil
      return held.call
    }
  }

  /// True where the sync of this file still has to be made, so that it cannot be closed yet.
  func holds(_ file: OpenFile) -> Bool { state.withLock { $0.held?.call == .synchronize(file) } }
}

/// A call on a volume that may be made later.
enum SeamCall: Hashable, Sendable {
  case synchronize(OpenFile)
  case rename(BytePath, to: BytePath)
  case renameKeeping(BytePath, to: BytePath)
  case unlink(BytePath)

  /// Makes the call.
  func make(on volume: any Volume) throws(FileCallError) {
    switch self {
    case .synchronize(let file): try volume.synchronize(file)
    case .rename(let from, let to): try volume.rename(from, to: to)
    case .renameKeeping(let from, let to): try volume.renameKeeping(from, to: to)
    case .unlink(let path): try volume.unlink(path)
    }
  }
}
