extension PersistenceModel {
  /// All that can be named, from the strongest to the weakest.
  package static let all: [PersistenceModel] = [
    strict, ext4Journal, ext4NoDelayedAllocation, ext4Ordered, ext4FastCommit, ext4NoAutoFlush, ext4Writeback,
    ext4WritebackNoDelayedAllocation, xfs, btrfs, f2fs, apfs, posixWeakest,
  ]

  /// The model of this name; nil where there is none.
  package static func named(_ name: String) -> PersistenceModel? { all.first { $0.name == name } }

  /// Those that a program has to live with on Linux without further options.
  package static let everyday: [PersistenceModel] = [ext4Ordered, xfs, btrfs]

  /// Every operation is durable when it returns.
  package static let strict = PersistenceModel(
    name: "strict", title: "every operation is durable when it returns", isMeasured: true, metadataOrder: .immediate,
    sizeOrder: .inOrder, newBlocks: .areThere, overwriting: .inOrder)

  /// ext4 with its default options, data=ordered and delayed allocation.
  package static let ext4Ordered = PersistenceModel(
    name: "ext4-ordered", title: "ext4 with its default options", isMeasured: true, metadataOrder: .total,
    replacingRename: .startsFlush, fdatasyncKeepsRename: false)

  /// ext4 made with fast_commit.
  package static let ext4FastCommit = PersistenceModel(
    name: "ext4-fast-commit", title: "ext4 made with fast_commit", isMeasured: true, metadataOrder: .total,
    replacingRename: .startsFlush, fdatasyncKeepsRename: false)

  /// ext4 with data=writeback.
  package static let ext4Writeback = PersistenceModel(
    name: "ext4-writeback", title: "ext4 with data=writeback", isMeasured: true, metadataOrder: .total,
    truncateZeroesFirst: false, fdatasyncKeepsRename: false)

  /// ext4 with nodelalloc.
  package static let ext4NoDelayedAllocation = PersistenceModel(
    name: "ext4-nodelalloc", title: "ext4 with nodelalloc", isMeasured: true, metadataOrder: .total,
    sizeOrder: .inOrder, newBlocks: .areThere, fdatasyncKeepsRename: false)

  /// ext4 with data=writeback and nodelalloc.
  package static let ext4WritebackNoDelayedAllocation = PersistenceModel(
    name: "ext4-wb-nodelalloc", title: "ext4 with data=writeback,nodelalloc", isMeasured: true, metadataOrder: .total,
    sizeOrder: .inOrder, truncateZeroesFirst: false, fdatasyncKeepsRename: false)

  /// ext4 with noauto_da_alloc.
  package static let ext4NoAutoFlush = PersistenceModel(
    name: "ext4-noauto", title: "ext4 with noauto_da_alloc", isMeasured: true, metadataOrder: .total,
    fdatasyncKeepsRename: false)

  /// ext4 with data=journal.
  package static let ext4Journal = PersistenceModel(
    name: "ext4-journal", title: "ext4 with data=journal", isMeasured: true, metadataOrder: .total,
    sizeOrder: .inOrder, newBlocks: .areThere, overwriting: .inOrder,
    fdatasyncKeepsRename: false)

  /// XFS with its default options.
  package static let xfs = PersistenceModel(
    name: "xfs", title: "XFS with its default options", isMeasured: true, metadataOrder: .total,
    newBlocks: .lastIsThere)

  /// btrfs with its default options.
  package static let btrfs = PersistenceModel(
    name: "btrfs", title: "btrfs with its default options", isMeasured: true, metadataOrder: .commitAndLog,
    newBlocks: .areThere, overwriting: .withCommit, truncateZeroesFirst: false, synchronousWriteKeepsFile: true)

  /// f2fs with fsync_mode=posix.
  package static let f2fs = PersistenceModel(
    name: "f2fs", title: "f2fs with its default options", isMeasured: false, metadataOrder: .commitAndLog,
    truncateZeroesFirst: false)

  /// APFS, where fsync orders and only F_FULLFSYNC endures a power cut.
  package static let apfs = PersistenceModel(
    name: "apfs", title: "APFS: fsync orders, F_FULLFSYNC endures", isMeasured: false, metadataOrder: .total,
    newBlocks: .areThere, overwriting: .withCommit, fsyncEndures: false)

  /// What POSIX promises, and no more.
  ///
  /// fsync of a file keeps its data and size, fsync of a directory its names; nothing is ordered.
  package static let posixWeakest = PersistenceModel(
    name: "posix-weakest", title: "what POSIX promises, and no more", isMeasured: true, metadataOrder: .free,
    truncateZeroesFirst: false, fdatasyncKeepsRename: false)
}
