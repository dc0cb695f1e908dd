import CrashModel
import Options

let exploreVerb = Verb(
  "explore", "run a program once, and put every state that a crash may leave before a check",
  options: [
    Option("check", value: .text("CMD"), "judge a state by this command for sh: status 0 is good, anything else fails"),
    Option("model", value: .text("M,…"), "disks like these (\(ExploreSettings.namesOfEveryday)); may be repeated"),
    Option("setup", value: .text("CMD"), "run this command for sh first; what it leaves is durable"),
    Option("from", value: .directory("TREE"), "begin with a copy of this tree, instead of the files that CMD names"),
    Option("budget", value: .text("N|TIME"), "at most N states a model, or so long for all states, as 30s, 5min or 1h"),
    Option(
      "depth", value: .number("N", 1...2), "2: crash the check, too, where it writes, and check what that leaves (1)"),
    Option("keep", value: .directory("DIR"), "keep the tree of one example of each kind of failure below DIR"),
    Option("json", value: .file("FILE"), "write the findings to this file, too"),
    Option(
      "confirm", value: .number("K", 1...1_000_000), "try K times whether this kernel's own file systems leave it"),
    Option("jobs", short: "j", value: .number("N", 1...64), "judge N states at once, for which it needs root (1)"),
    Option("html", value: .file("FILE"), "write the findings as a page for a browser to this file, too"),
    Option(
      "log", value: .file("FILE"), "explore this recording of 'run --log' or 'mount --log', instead of running CMD"),
    Option("state", value: .text("NAME"), "look only at the state of this name, as a report calls it"),
    Option("all", "show every kind of failure, not only the first five"),
    Option(
      "memory", value: .text("SIZE"), group: .rest,
      "take about this much at the most, 3/8 for a run: 1 KiB an operation and what it writes (4GiB)"),
    Option("sectors", group: .rest, "tear blocks that are written in their place at 512 bytes, too"),
    Option(
      "from-operation", value: .number("N", 0...Int.max), group: .rest, "only crashes from this operation of the log on"
    ),
    Option("to-operation", value: .number("N", 0...Int.max), group: .rest, "only crashes up to this operation"),
    Option("check-limit", value: .number("S", 1...86_400), group: .rest, "seconds for one run of the check (30)"),
    Option("seed", value: .number("N", 0...Int.max), group: .rest, "decides what is drawn where not all can be tried"),
  ],
  operands: Operands(
    "-- CMD [WORD...]", count: 0...Operands.countMax, endOptions: true,
    "CMD runs as with 'run', in an empty directory of a disk in memory, which FAULTFS_DIR and TMPDIR name too. The check "
      + "runs in a directory with the same path that holds one state; its standard input is what CMD had printed until "
      + "the crash. Models: \(PersistenceModel.all.map(\.name).joined(separator: ", "))"),
  examples: [
    Example("faultfs explore --check 'grep -q END a.txt' -- ./save a.txt", "is a.txt always whole?"),
    Example("faultfs explore -- python3 save.py", "without a check: what may the files hold?"),
    Example("faultfs explore --html found.html --check 'test -s a.txt' -- ./save", "with pictures, for a browser"),
    Example("faultfs explore --log run.log --check 'test -s a.txt'", "what 'faultfs run --log run.log' has recorded"),
    Example("faultfs explore --depth 2 --check './open --recover' -- ./save", "is a recovery safe from crashes, too?"),
    Example("faultfs explore --model btrfs --setup 'git init' --check 'git fsck' -- ./commit", "on btrfs only"),
  ],
  exitStatuses: [
    ExitStatus(0, "no state fails"), ExitStatus(1, "states fail"),
    ExitStatus(2, "the command line is not right, as an unknown model"),
    ExitStatus(3, "it cannot be known; the last lines say why"),
    ExitStatus(4, "CMD fails without a crash, the check fails without a crash, or this machine cannot mount"),
    ExitStatus(130, "SIGINT ended it (143 for SIGTERM); what was found until then is told"),
  ])
