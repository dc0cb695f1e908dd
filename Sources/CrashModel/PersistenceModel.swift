/// What a file system promises: the rules by which operations become durable, as data.
///
/// A crash state is a choice of versions that these rules allow. The rules are wide where a file system was seen or
/// documented to do something, and narrow where it was not: a state outside is one that no known disk shows.
package struct PersistenceModel: Hashable, Sendable {
  /// In which order names, attributes and ordered sizes become durable.
  package enum MetadataOrder: Hashable, Sendable {
    /// Each operation is durable when it returns.
    case immediate
    /// One journal: a crash keeps all of them up to some moment.
    case total
    /// Commits keep all of them up to some moment; the log behind them holds what fsync needs, and nothing else.
    case commitAndLog
    /// None: each name by itself.
    case free
  }

  /// When the size that a write brings about becomes durable.
  package enum SizeOrder: Hashable, Sendable {
    /// In the order of the metadata.
    case inOrder
    /// When its data is written back, whenever that is.
    case floating
  }

  /// What a durable size promises of the new blocks below it.
  package enum NewBlocks: Hashable, Sendable {
    /// Nothing: they may read as zeros.
    case mayBeZeros
    /// The last of them has its data.
    case lastIsThere
    /// All of them have data of some write; a block that was there before may be old.
    case areThere
  }

  /// How a block that has data already gets other data.
  package enum Overwriting: Hashable, Sendable {
    /// In place: at any time, whatever becomes of the metadata.
    case inPlace
    /// In a new place: the old data shows until the next commit.
    case withCommit
    /// Through the journal, in the order of all operations.
    case inOrder
  }

  /// What a rename over a file does about the data of the file that is renamed.
  package enum ReplacingRename: Hashable, Sendable {
    /// Nothing.
    case flushesNothing
    /// Starts to write it: its size is durable with the name.
    case startsFlush
  }

  /// The name by which it is asked for.
  package let name: String
  /// What it stands for, a phrase.
  package let title: String
  /// False where it was written from documents and source code, and compared with no running file system.
  package let isMeasured: Bool
  /// In which order names become durable.
  package var metadataOrder: MetadataOrder
  /// When a size becomes durable.
  package var sizeOrder = SizeOrder.floating
  /// What a size promises.
  package var newBlocks = NewBlocks.mayBeZeros
  /// How blocks are overwritten.
  package var overwriting = Overwriting.inPlace
  /// What a rename over a file does.
  package var replacingRename = ReplacingRename.flushesNothing
  /// True where a cut to a smaller size has zeroed the rest of the last block before the size is durable.
  package var truncateZeroesFirst = true
  /// True where fdatasync(2) after a rename of a clean file makes the new name durable.
  package var fdatasyncKeepsRename = true
  /// True where a write through O_SYNC makes the whole file durable, and not only what was written.
  package var synchronousWriteKeepsFile = false
  /// False where fsync only orders, so that a power cut may take what it was told to keep.
  package var fsyncEndures = true
  /// True where a block that is written in its place may be torn at a boundary of 512 bytes.
  ///
  /// No preset has it: it is asked for.
  package var tearsSectors = false

  /// The same disk, or one whose blocks tear.
  package func tearing(_ tearsSectors: Bool) -> PersistenceModel {
    var model = self
    model.tearsSectors = tearsSectors
    return model
  }
}
