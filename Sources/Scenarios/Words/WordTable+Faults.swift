extension WordTable {
  /// What faults do.
  static let effects = WordTable(
    heads: ["effect", "meaning"],
    rows: [
      .init(
        ["EIO", "ENOSPC", "EROFS"],
        "the operation fails with this error"),
      .init(
        ["short-write 512B"],
        "a write takes no more than this, less than 1020KiB"),
      .init(
        ["torn-rename WAY"],
        "a rename goes wrong on the disk; the caller is told that it succeeded, except by the last"),
      .init(
        ["torn-write 4KiB"],
        "a write is answered and read back whole; the medium gets no more than this, in sectors of 512B"),
      .init(
        ["fsync-fail drop-dirty", "fsync-fail keep-dirty"],
        "an fsync fails with EIO; its pages count as clean and are lost, as on Linux, or stay dirty"),
      .init(
        ["fsync-lie"],
        "an fsync is answered with success, and nothing becomes durable"),
      .init(
        ["flip 3 bits", "zero-block", "misplaced-block"],
        "bits turn, a block is zeros, or is another's; of a write on the medium, of a read on the way"),
      .init(
        ["stale-read", "short-read 1KiB"],
        "a read gets what was there before the last write, or at most so much"),
      .init(
        ["bad-sector"],
        "these blocks read as EIO until they are written again"),
      .init(
        ["async-error"],
        "the write back of a write fails: EIO, once, at the next fsync or close of each open descriptor"),
      .init(
        ["remount-ro", "shutdown", "locked-device"],
        "from now on EROFS for all that writes; EIO for everything; EPERM for every open"),
      .init(
        ["rolled-back", "placeholder"],
        "the file is as it was before its last change; it keeps its size and reads as EIO"),
      .init(
        ["shuffled"],
        "a directory is listed in another order"),
      .init(
        ["slow 200ms", "hang"],
        "the answer comes later, whatever else decides what it is, and the clock moves on by that at the "
          + "end of the step; or not before the fault is cleared"),
      .init(
        ["power-cut", "power-cut keep-all"],
        "the power goes"),
      .init(
        ["kill"],
        "the process dies"),
    ])

  /// Which operations a fault hits.
  static let selectors = WordTable(
    heads: ["which, when", "meaning", "without it"],
    rows: [
      .init(
        ["nth 2"],
        "the second matching operation since the fault was armed, and only that",
        without: "every one"),
      .init(
        ["every 3"],
        "each third",
        without: ""),
      .init(
        ["after-bytes 1MiB"],
        "once so much has been written",
        without: ""),
      .init(
        ["probability 0.05"],
        "one in twenty, drawn from the seed, the fault and the count: the same run draws the same",
        without: "1.0"),
      .init(
        ["times 2"],
        "at most twice",
        without: "once with `nth`, else without end"),
      .init(
        ["before", "during", "after"],
        "relative to the operation",
        without: "before for errors, after for power-cut and kill"),
    ])

  /// What a power cut loses or keeps.
  static let losses = WordTable(
    heads: ["operations", "meaning"],
    rows: [
      .init(
        ["write of page p1"],
        "the bytes, and the size that they brought about; `create` `truncate` `unlink` `mkdir` … alike"),
      .init(
        ["write of page p1 nth 2"],
        "the second of those that match since the file began, or since the last power cut"),
      .init(
        ["write of page p1 bytes 0B..8KiB"],
        "these blocks of the file, of 4 KiB each; its size is not touched"),
      .init(
        ["write of page p1 bytes 8KiB"],
        "the file ends there, and what the write brought behind that is missing"),
      .init(
        ["rename of page p1"],
        "both of its names"),
      .init(
        ["rename from page p1", "rename to page p1"],
        "only that the old name went, so that both are there; only that the new one came"),
      .init(
        ["rename of page p1, write of image photo"],
        "several"),
    ])
}
