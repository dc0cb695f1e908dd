extension WordTable {
  /// Steps.
  static let steps = WordTable(
    heads: ["step", "meaning"],
    rows: [
      .init(
        ["stroke p1 points 50 pen fountain width 2.5 at 10, 20 as line"],
        "draws; all but the page may be left out. Pens: ballpoint, fountain, pencil, marker"),
      .init(
        ["erase line", "erase p1 last 2"],
        "rubs out the middle of a stroke, or of the newest strokes of a page; what is left of each are "
          + "two pieces, the first keeps the name"),
      .init(
        ["move line by 10, 20", "move p1 by 10, 20"],
        "moves an element, or all of a page's"),
      .init(
        ["insert-image p1 size 2MiB as photo"],
        "inserts a real JPEG of exactly this size, 1KiB to 64MiB; 256KiB where no size is given"),
      .init(
        ["insert-image p1 file \"a.jpg\" as photo"],
        "inserts that JPEG file; its name is relative to the scenario's file"),
      .init(
        ["delete photo"],
        "deletes a stroke or image"),
      .init(
        ["undo", "undo 3", "redo", "undo in diary"],
        "takes back the last change of an element (of a stroke or image, not of a page or title), or the "
          + "last three; makes it again. Of up to 100 changes since the document was opened. `in` says which document, "
          + "where there are several"),
      .init(
        ["add page p3 768x1024 at 0", "delete page p3", "move page p2 to 0"],
        "pages; places count from 0. `add page diary.p3` where there are several documents"),
      .init(
        ["title \"New title\"", "title \"New title\" in diary"],
        "renames the document"),
      .init(
        ["wait 600ms"],
        "moves the clock on; due autosaves happen"),
      .init(
        ["wait until saved"],
        "to the end of the next save; at once where nothing is unsaved"),
      .init(
        ["background", "foreground"],
        "leaves the app, which saves every changed page at once; comes back"),
      .init(
        ["close"],
        "closes every document, which cleans what it no longer uses"),
      .init(
        ["reopen"],
        "opens every document again. A failure is a failed expectation, unless `expect error E` stands "
          + "directly behind"),
      .init(
        ["kill"],
        "the process dies; what it wrote is there"),
      .init(
        ["power-cut", "power-cut keep-all"],
        "the power goes: only what was synced is there (`keep-none`, the default), or all that was written"),
      .init(
        ["power-cut losing write of page p1", "power-cut keeping rename of page p1"],
        "the power goes and leaves [one state](#one-state-in-words) that is chosen here"),
      .init(
        ["fsck"],
        "looks, and shows what it found; decides nothing"),
      .init(
        ["repair"],
        "`lnote-fsck -y` in place; what is open is let go first, unsaved, and opened again"),
      .init(
        ["remember saved"],
        "names the content of every page as it is now"),
      .init(
        ["note \"…\""],
        "words for the run's output"),
      .init(
        ["sometimes \"…\""],
        "says that this has come about; the report lists those that were not reached"),
      .init(
        ["do draw(p1)"],
        "the steps of `define draw(page) { … }`"),
      .init(
        ["exec \"git init -q .\""],
        "with `store external`: a command for sh(1). It has to end with status 0, or with that of the "
          + "`expect exit` directly behind"),
      .init(
        ["free-space 16KiB", "free-space unlimited"],
        "what is left on the disk from now on"),
      .init(
        ["fault NAME = EFFECT on …", "clear NAME", "clear faults"],
        "arms a fault until it is cleared, or the file ends"),
      .init(
        ["maybe fault …"],
        "the same; it need not happen"),
    ])

  /// Blocks that stand around steps.
  static let blocks = WordTable(
    heads: ["block", "meaning"],
    rows: [
      .init(
        ["with EIO on write of page p1 nth 1 and free-space 16KiB { … }"],
        "faults and bounds that hold inside; at the end the faults are cleared and space is unlimited"),
      .init(
        ["power-cut on rename of page p1 before { … }", "kill on … { … }"],
        "steps that end in a power cut, or in a kill"),
      .init(
        ["repeat 3 { … }"],
        "three times"),
      .init(
        ["for n = 1..9 { … }"],
        "with `$n` from 1 to 9"),
      .init(
        ["for n = 1.. until success { … }"],
        "the same until a round in which no step failed, at most 1000; a fault in it need not happen. "
          + "Names given in it end with it"),
      .init(
        ["when store snapshot { … }"],
        "only with this engine"),
      .init(
        ["for each torn-rename of document in { … } check { … }"],
        "for each of the ten ways below: the steps, the first such rename torn so, the power cut right "
          + "after it, then the check"),
      .init(
        ["for each crash in { … } check { … }"],
        "the steps once, recorded; then, for each state that a crash in the course of them may leave "
          + "under the models, the check on that state"),
      .init(
        ["for each crash depth 2 in { … } check { … }"],
        "the same, and each check that a state has passed was recorded, too: every state that a crash in "
          + "the course of that recovery may leave is checked again"),
      .init(
        ["for each crash in { … } then { … } check { … }"],
        "depth 2 with another session: behind a check that a state has passed come the steps of `then`, "
          + "and crashes in the course of them are gone through with those of the check"),
      .init(
        ["for each failure EIO on write in { … } check { … }"],
        "the steps with the first such operation failing, then with the second, … until a run in which "
          + "none failed; each time the check. Without `on` any counted operation"),
    ])

  /// What is left to chance.
  static let chance = WordTable(
    heads: ["left to chance", "meaning"],
    rows: [
      .init(
        ["stroke p1 points 400..1200", "insert-image p1 size 4KiB..4MiB", "wait 0ms..900ms"],
        "one value of these, each as likely; whole numbers, or as exact as the ends are written "
          + "(`0.5..8.0` are tenths)"),
      .init(
        ["stroke p1 points one of (3, 50, 700)"],
        "one of these"),
      .init(
        ["repeat 5..40 { … }"],
        "so often; each round is drawn anew"),
      .init(
        ["any of { 12: close; 1: { … } }"],
        "one of these, by weight"),
      .init(
        ["shuffle { … }"],
        "all of these steps, in any order"),
    ])
}
