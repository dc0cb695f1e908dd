extension WordTable {
  /// What can be expected.
  static let expectations = WordTable(
    heads: ["`expect …`", "holds where"],
    rows: [
      .init(
        ["fsck clean"],
        "nothing is found but notes"),
      .init(
        ["fsck no-loss"],
        "a repair, of a copy, loses nothing"),
      .init(
        ["fsck exactly asset-missing x2, LN1203"],
        "these kinds of problem, warnings and above, and no others; names or codes, `lnote-scenario list "
          + "problems`"),
      .init(
        ["fsck never asset-missing"],
        "not this kind, however harmless"),
      .init(
        ["ok", "error ENOSPC"],
        "no step failed, or one failed with this error, since the last `expect` or the block's beginning"),
      .init(
        ["exit 0"],
        "the `exec` in front of it has ended so"),
      .init(
        ["document loads"],
        "every document opens"),
      .init(
        ["count \"assets/*.jpg\" = 1"],
        "so many files match; also `<` `<=` `>` `>=`"),
      .init(
        ["p1 equals STATE"],
        "the page is exactly so"),
      .init(
        ["p1 between STATE and STATE"],
        "the page is as it was at some moment from the one to the other"),
      .init(
        ["p1 at-least STATE"],
        "nothing of that state is missing"),
      .init(
        ["p1 has 3 elements", "p1 missing", "photo missing"],
        ""),
    ])
}
