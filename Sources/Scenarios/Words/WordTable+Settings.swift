extension WordTable {
  /// Settings of a file.
  static let settings = WordTable(
    heads: ["setting", "meaning", "without it"],
    rows: [
      .init(
        ["store snapshot"],
        "the store's engines, a run for each. `journal` and `sqlite` come with a later version: beside "
          + "`snapshot` they are left out, and the report says so. `external` is [another program](#other-programs)",
        without: "snapshot"),
      .init(
        ["model ext4-ordered, btrfs"],
        "the disks that `for each crash` goes through, and one of which has to allow what a `power-cut "
          + "losing` leaves; `lnote-scenario list models`. A bare power cut leaves what posix-weakest does",
        without: "every model that was measured"),
      .init(
        ["durability none, file, full"],
        "how hard the store syncs; several are several runs",
        without: "full"),
      .init(
        ["autosave 500ms"],
        "from the last change to the autosave",
        without: "500ms"),
      .init(
        ["seed 7"],
        "of everything made up: points, pictures, and what is left to chance",
        without: "1; with something left to chance another one each time, which is printed"),
      .init(
        ["mutant NAME"],
        "a seeded bug of the store; `lnote-scenario list mutants`",
        without: "none"),
      .init(
        ["thumbnails on"],
        "the store draws small pictures of pages, at `background` and `close`, and `fsck` tells what is "
          + "wrong with them: notes, so `clean` allows them. Nothing is told of a document that the app has open",
        without: "`off`"),
      .init(
        ["budget 400 cases 20min"],
        "how many cases chance makes, and how long it goes on with them",
        without: "one case"),
      .init(
        ["command \"git\""],
        "the program that a file with `store external` is about",
        without: ""),
      .init(
        ["tags a, b", "issue \"#12\""],
        "words for people and lists",
        without: ""),
      .init(
        ["known-failing \"#12\""],
        "it fails, as is known: a failure is reported and passes, a pass fails",
        without: ""),
      .init(
        ["include \"parts/pens.scn\""],
        "what that file holds, in this place; each file once, at most 8 deep. The name is relative to the "
          + "file that it stands in, and the first line of that file is `scenario v1 \"…\"` as well",
        without: ""),
      .init(
        ["param room = 16KiB"],
        "a value to write as `$room`; another one for a run: `-D room=64KiB`",
        without: ""),
      .init(
        ["define draw(page) { … }"],
        "steps to run with `do draw(p1)`",
        without: ""),
    ])
}
