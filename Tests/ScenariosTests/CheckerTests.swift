import FileTracing
import Files
import Testing

@testable import Scenarios

/// What a checked scenario holds, and what the checker says of names, ranges and effects.
@Suite struct CheckerTests {
  @Test(arguments: ScenarioTexts.ours) func ourScenariosRun(_ name: String) throws {
    let reading = ScenarioReading.read(
      try ScenarioTexts.file("Scenarios/\(name)"), file: name, vocabulary: ScenarioTexts.vocabulary)
    #expect(reading.text == "")
    #expect(reading.scenario != nil)
  }

  /// The page's example runs; the others wait for what this version refuses, at its place, and for nothing else.
  static let examples: [(file: String, heads: [String])] = [
    (
      "01-background-torn-rename.scn",
      [
        "bg.scn:25:1: error: 'for each torn-rename' in only those ways that a 'model' allows does not run yet in this version"
      ]
    ),
    (
      "02-disk-full-while-autosaving.scn",
      []
    ),
    ("08-photo-power-cut.scn", []),
  ]

  @Test(arguments: examples) func refusesBeforeRunning(file: String, heads: [String]) throws {
    let reading = ScenarioReading.read(
      try ScenarioTexts.fixture(file), file: "bg.scn", vocabulary: ScenarioTexts.vocabulary)
    #expect(ScenarioTexts.heads(reading.text) == heads)
    #expect((reading.scenario == nil) == !heads.isEmpty)
  }

  @Test func refusalsAreNoErrors() {
    let reading = ScenarioTexts.reading(ScenarioTexts.withSteps("fault EIO on write of journal p1\nclose"))
    #expect(!reading.hasErrors)
    #expect(reading.scenario == nil)
    #expect(ScenarioTexts.reading(ScenarioTexts.withSteps("stroke p9")).hasErrors)
  }

  // MARK: What does not run yet

  static let notYet: [(step: String, head: String)] = [
    (
      "model xfs\nfor each torn-rename in { close } check { }",
      "4:1: error: 'for each torn-rename' in only those ways that a 'model' allows"
    ),
    ("repeat 2 { for each torn-rename in { close } check { } }", "3:12: error: 'for each …' inside of another block"),
    ("fault EIO on write of journal p1\nclose", "3:20: error: 'journal'"),
  ]

  @Test(arguments: notYet) func refuses(step: String, head: String) {
    let reading = ScenarioTexts.reading(ScenarioTexts.withSteps(step))
    #expect(reading.scenario == nil)
    #expect(reading.diagnostics.map(\.severity) == [.notYet])
    let said = ScenarioTexts.heads(reading.text).first ?? ""
    #expect(said.hasPrefix("bg.scn:\(head) does not run yet in this version"), Comment(rawValue: said))
  }

  // MARK: Names, ranges, effects

  static let wrong: [(steps: String, head: String)] = [
    ("exec \"ls\"", "3:1: error: this is about another program - write 'store external' above"),
    ("expect exit 0", "3:8: error: this is about another program - write 'store external' above"),
    ("command \"git\"", "3:1: error: this is about another program - write 'store external' above"),
    ("power-cut losing write of page p1 nth 1..2", "3:39: error: a range cannot stand here - write one value"),
    ("for n = 1.. until success { }", "3:1: error: in an empty block nothing can succeed"),
    ("for n = 3..2 until success { close }", "3:12: error: the last number is smaller than the first"),
    (
      "for n = 1.. until success { stroke p1 as a }\ndelete a",
      "4:8: error: no stroke or image is called 'a' above; there are no names"
    ),
    ("undo 0", "3:6: error: the number of changes is 1 to 1000"),
    ("store snapshot, snapshot", "3:17: error: store 'snapshot' is given twice"),
    ("insert-image p1 size 2MiB file \"a.jpg\"", "3:22: error: a file has its own size - leave 'size' or 'file' out"),
    (
      "insert-image p1 file \"a.jpg\"",
      "3:22: error: the picture 'a.jpg' cannot be read: no other file can be read here"
    ),
    ("include \"a.scn\"", "3:9: error: 'a.scn' cannot be included: no other file can be read here"),
    ("stroke p9", "3:8: error: page 'p9' does not exist here; pages: p1, p2"),
    (
      "fault EIO on write of thumbnail p1\nclose",
      "3:20: error: the store draws no thumbnail here - write 'thumbnails on' above, among the settings"
    ),
    (
      "fault EIO on write of thumbnail p9\nthumbnails on\nclose",
      "3:33: error: page 'p9' does not exist here; pages: p1, p2"
    ),
    (
      "power-cut losing fsync of page p1",
      "3:18: error: a crash does not lose 'fsync' - name what changes the disk: write, create, rename, unlink, …"
    ),
    (
      "power-cut losing rename of page p1 bytes 4KiB",
      "3:42: error: only a write is kept in part - leave 'bytes' out, or write 'write of …'"
    ),
    (
      "power-cut keeping write of page p1 bytes 1KiB..4KiB",
      "3:42: error: a crash keeps or loses whole blocks - begin at a multiple of 4KiB"
    ),
    (
      "power-cut losing write of page p1 bytes 8KiB..4KiB",
      "3:41: error: this range is empty - write the smaller size first"
    ),
    ("power-cut losing write from page p1", "3:24: error: 'from' and 'to' are for rename and link - write 'of'"),
    ("power-cut losing write of page p9", "3:32: error: page 'p9' does not exist here; pages: p1, p2"),
    (
      "with power-cut losing write of page p1 on write { background }",
      "3:16: error: a state is chosen in a step 'power-cut losing …' or in a block 'power-cut losing … on … { }', and not in a fault"
    ),
    (
      "fault power-cut on write\nfor each crash in { close } check { }",
      "4:1: error: the fault armed in line 3 cuts the power, as this sweep does itself - write 'clear faults' above"
    ),
    ("stroke other.p1", "3:8: error: document 'other' does not exist here; documents: trip"),
    ("delete photo", "3:8: error: no stroke or image is called 'photo' above; there are no names"),
    ("insert-image p1 as a; delete a; delete a", "3:40: error: 'a' is deleted above"),
    ("insert-image p1 as a; erase a", "3:29: error: 'a' is an image; only strokes can be erased - write 'delete'"),
    ("delete p1", "3:8: error: 'p1' is a page - did you mean 'delete page'?"),
    ("stroke p1 as p2", "3:14: error: 'p2' is a page - choose another name"),
    ("delete page p2; stroke p2", "3:24: error: page 'p2' does not exist here; pages: p1"),
    ("add page p2", "3:10: error: 'p2' exists already - choose another name"),
    ("move page p1 to 2", "3:17: error: the page's place, counted from 0, is 0 to 1"),
    ("stroke p1 points 0", "3:18: error: the number of points is 1 to 1000000"),
    ("stroke p1 points 2.5", "3:18: error: the number of points is a whole number"),
    ("stroke p1 width 0.25", "3:17: error: the width has at most one digit behind the point: tenths of a point"),
    ("stroke p1 width 200", "3:17: error: the width is 0.1 to 100 points"),
    ("stroke p1 pen fontain", "3:15: error: unknown pen 'fontain' - did you mean 'fountain'?"),
    ("insert-image p1 size 100B", "3:22: error: a picture has 1KiB to 64MiB"),
    ("stroke $page", "3:8: error: '$page' is not set here - write 'param page = …' above"),
    ("do draw()", "3:4: error: 'draw' is not defined; there are no definitions"),
    ("define a(x) { }\ndo a()", "4:4: error: 'a' takes 1 value: a(x)"),
    ("define a() { do b() }\ndefine b() { do a() }\ndo a()", "4:17: error: 'a' calls itself, which never ends"),
    ("fault EXYZ on write\nclose", "3:7: error: unknown error 'EXYZ'"),
    ("fault ENOSP on write\nclose", "3:7: error: unknown error 'ENOSP' - did you mean 'ENOSPC'?"),
    (
      "fault torn-rename not-done on write\nclose",
      "3:31: error: only a rename can be torn so - write 'on rename'"
    ),
    ("fault short-write 5B on any\nclose", "3:25: error: only a write can be short - write 'on write'"),
    ("fault EIO on write from page p1\nclose", "3:20: error: 'from' and 'to' are for rename and link - write 'of'"),
    ("fault EIO on write during\nclose", "3:20: error: an error happens before or after its operation, not during it"),
    ("fault EIO on write nth 2 times 3\nclose", "3:11: error: 'nth 2' hits once: leave 'every' and 'times' out"),
    (
      "fault short-write 1MiB on write\nclose",
      "3:7: error: a write is at most 1020KiB, so none is cut to 1048576B; write less than 1020KiB"
    ),
    (
      "fault EIO on rename after-bytes 5B\nclose",
      "3:21: error: after-bytes counts the bytes of reads and writes; write 'on write'"
    ),
    (
      "fault EIO on write of \"a//b\"\nclose",
      "3:20: error: the pattern 'B0867AFE-D597-8063-8D0A-46028B0B117B.lnote/a//b' matches nothing: it has an empty name; paths have no slash at an end, and single ones"
    ),
    ("fault EIO on write nth 2 nth 3\nclose", "3:26: error: this is given twice"),
    (
      "fault EIO on write of image nowhere\nclose",
      "3:29: error: no stroke or image is called 'nowhere' above; there are no names"
    ),
    ("fault EIO on write of page p7\nclose", "3:28: error: page 'p7' does not exist here; pages: p1, p2"),
    (
      "fault EIO on write of \"/a\"\nclose", "3:23: error: a glob is relative to the package, as in \"pages/*.content\""
    ),
    ("clear broken", "3:7: error: no fault 'broken' is armed here; there are no faults - write 'fault NAME = …' above"),
    ("fault a = EIO on write\nfault a = EIO on read\nclose", "4:7: error: fault 'a' is armed already, in line 3"),
    ("expect p1 equals saved", "3:18: error: 'saved' is not remembered above; states: latest, empty, last-durable"),
    ("remember save\nexpect p1 equals saved", "4:18: error: 'saved' is not remembered above - did you mean 'save'?"),
    ("remember latest", "3:10: error: 'latest' has a meaning of its own - choose another name"),
    (
      "kill\nexpect p1 equals latest",
      "4:8: error: 'p1' cannot be read: 'kill' above, nothing reopened - write 'reopen' before it"
    ),
    (
      "for each torn-rename in { background } check { expect p1 equals latest }",
      "3:55: error: 'p1' cannot be read: 'power-cut' above, nothing reopened - write 'reopen' before it"
    ),
    ("expect fsck never asset-mising", "3:19: error: unknown problem 'asset-mising' - did you mean 'asset-missing'?"),
    (
      "mutant asset-not-synced",
      "3:8: error: unknown mutant 'asset-not-synced'; mutants: overwrite-in-place, asset-file-not-synced, page-before-asset, load-failure-is-empty, replace-item, retry-fsync, cleans-unproven"
    ),
    (
      "model ext5",
      "3:7: error: unknown model 'ext5'; models: strict, ext4-ordered, xfs, btrfs, posix-weakest"
    ),
    ("model ext4-order", "3:7: error: unknown model 'ext4-order' - did you mean 'ext4-ordered'?"),
    ("model xfs, btrfs, xfs", "3:19: error: model 'xfs' is given twice"),
    (
      "for each crash in { stroke p1; power-cut } check { }",
      "3:1: error: this sweep takes the power away itself - leave 'power-cut' out of its steps"
    ),
    (
      "for each crash in { with power-cut on write { close } } check { }",
      "3:1: error: this sweep takes the power away itself - leave 'power-cut' out of its steps"
    ),
    (
      "for each crash in { background } check { expect p1 equals latest }",
      "3:49: error: 'p1' cannot be read: 'power-cut' above, nothing reopened - write 'reopen' before it"
    ),
    (
      "for each failure EIO on write nth 2 in { close } check { }",
      "3:31: error: this sweep lets the first, second, third … operation fail - leave this out"
    ),
    ("for each failure EOI in { close } check { }", "3:18: error: unknown error 'EOI' - did you mean 'EIO'?"),
    ("document \"Trip\" { page p1 }", "3:10: error: there is a document 'trip' already - write 'document … as NAME'"),
    ("document \"B\" { page p1 }\nstroke p1", "4:8: error: there are several documents - write 'trip.p1'"),
    (
      "document \"B\" { page p1 }\ntitle \"x\"",
      "4:1: error: there are several documents - write 'title … in trip'"
    ),
    ("document \"B\" { page p1 }\nundo 2", "4:1: error: there are several documents - write 'undo in trip'"),
    ("document \"B\" { page p1 }\nredo in c", "4:9: error: document 'c' does not exist here; documents: trip, b"),
    ("document \"B\" { page p1 }\nadd page p3", "4:1: error: there are several documents - write 'add page trip.p3'"),
    ("document \"B\" { page p1 }\nadd page b.p1", "4:10: error: 'p1' exists already - choose another name"),
    ("undo in trip.p1", "3:9: error: a document is called by one name, without '.p1'"),
    ("document \"B\" { page p1; page p1 }", "3:30: error: there is a page 'p1' already"),
    ("for n = 5..2 { }", "3:12: error: the last number is smaller than the first"),
    (
      "repeat 400 { repeat 400 { close; reopen } }",
      "3:27: error: loops and definitions unroll to more than 100000 steps here"
    ),
    ("repeat 99999 { repeat 99999 { } }", "3:16: error: loops and definitions unroll to more than 100000 steps here"),
  ]

  @Test(arguments: wrong) func says(steps: String, head: String) {
    let reading = ScenarioTexts.reading(ScenarioTexts.withSteps(steps))
    #expect(ScenarioTexts.heads(reading.text).first == "bg.scn:\(head)")
    #expect(reading.hasErrors)
  }

  static let warned: [(steps: String, heads: [String])] = [
    ("close\nbackground\nstroke p1", ["4:1: warning: unreachable - 'close' above, nothing reopened"]),
    ("power-cut\nwait until saved", ["4:1: warning: unreachable - 'power-cut' above, nothing reopened"]),
    ("kill on write { stroke p1 }\nstroke p1", ["4:1: warning: unreachable - 'kill' above, nothing reopened"]),
    ("close\nreopen\nstroke p1", []), ("close\nrepair\nexpect fsck clean", []),
    ("with maybe fault kill on write { close }\nreopen\nstroke p1", []),
    ("for each torn-rename in { close } check { repair }\nstroke p1", []),
    ("with EIO on write { }", ["3:1: warning: never reached - the block is empty"]),
    (
      "with EIO on write { note \"x\"; expect ok }",
      ["3:1: warning: never reached - no step in this block has the store read or write"]
    ),
    (
      "kill on write { remember a }",
      ["3:1: warning: never reached - no step in this block has the store read or write"]
    ),
    ("with free-space 0B { expect ok }", []), ("with EIO on read { expect p1 missing }", []),
    ("with EIO on write { for n = 1..2 until success { wait 1ms } }", []),
    ("close\nfault EIO on write", ["4:1: warning: never reached - no step follows"]),
    ("fault EIO on write\nclose", []),
    ("model posix-weakest\nclose", []),
    ("model xfs\nfor each crash in { close } check { }", []),
    (
      "model xfs\nclose",
      [
        "3:1: warning: 'model' says which disks 'for each crash' goes through; a bare power cut keeps what posix-weakest keeps"
      ]
    ),
    ("for each crash in { } check { }", ["3:1: warning: never reached - the block is empty"]),
    ("budget 5min", ["3:1: warning: 'budget' does nothing here: nothing in this file is random"]),
  ]

  @Test(arguments: warned) func warns(steps: String, heads: [String]) {
    let reading = ScenarioTexts.reading(ScenarioTexts.withSteps(steps))
    #expect(ScenarioTexts.heads(reading.text) == heads.map { "bg.scn:\($0)" })
    #expect(reading.scenario != nil)
  }
}
