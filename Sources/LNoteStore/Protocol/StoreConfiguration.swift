import LNoteFormat

/// What a session of the store is given at its start.
package struct StoreConfiguration: Hashable, Sendable {
  /// How pages are kept.
  package enum Engine: String, CaseIterable, Hashable, Sendable {
    /// One file a page, written whole at each save.
    case snapshot
  }

  /// How pages are kept.
  package var engine: Engine
  /// What is synced at a save.
  package var durability: Durability
  /// The bug that is switched on; nil for the store as it should be.
  package var mutant: StoreMutant?
  /// The virtual clock at the start.
  package var now: Timestamp
  /// Decides the names of temporary files.
  package var seed: UInt64
  /// How long after the last change a page is saved, in milliseconds of the virtual clock.
  package var autosaveMilliseconds: Int64
  /// True where small pictures of pages are drawn at `background` and `close`.
  package var drawsThumbnails: Bool

  /// 0.5 s, as the app does.
  package static let autosaveMillisecondsDefault: Int64 = 500

  /// A configuration of these values.
  package init(
    engine: Engine = .snapshot, durability: Durability = .full, mutant: StoreMutant? = nil, now: Timestamp,
    seed: UInt64, autosaveMilliseconds: Int64 = autosaveMillisecondsDefault, drawsThumbnails: Bool = true
  ) {
    self.engine = engine
    self.durability = durability
    self.mutant = mutant
    self.now = now
    self.seed = seed
    self.autosaveMilliseconds = autosaveMilliseconds
    self.drawsThumbnails = drawsThumbnails
  }
}

/// What is synced at a save, and so when something is called durable.
package enum Durability: String, CaseIterable, Hashable, Sendable {
  /// Nothing; called durable after the rename, which a power cut can prove wrong.
  case none
  /// The file, never a directory: what Foundation's atomic write does. Called durable after the rename.
  case file
  /// The file and its directory; called durable after the directory's sync.
  case full
}
