import Options

/// What a disk is made of: the options that every verb with a mount of its own takes.
let diskOptions = [
  Option("fault", value: .text("FAULT"), "arm this fault, as 'EIO on fsync nth 3'; may be given several times"),
  Option("plan", value: .file("FILE"), "arm the faults of this file: JSON, or lines like 'fault EIO on fsync nth 3'"),
  Option("from", value: .directory("TREE"), "begin with a copy of this tree, instead of an empty one"),
  Option("log", value: .file("FILE"), "write every operation with its data to this file, as it is answered"),
  Option("export", value: .directory("TREE"), "write the tree to this directory when it is unmounted"),
  Option("seed", value: .number("N", 0...Int.max), group: .rest, "decide the draws of faults with a probability"),
  Option(
    "memory", value: .text("SIZE"), group: .rest,
    "keep at most this much, from 8MiB on, in memory; more finds the disk full (no limit)"),
  Option(
    "coarse-times", value: .number("MS", 1...60_000), group: .rest,
    "times of files are multiples of MS milliseconds, as 2000 on FAT and 1000 on HFS+"),
  Option(
    "names", value: .text("RULES"), group: .rest,
    "case-insensitive, normalising (one name in all its Unicode forms), or both with a comma, as on APFS"),
  Option("allow-other", group: .rest, "let other users use the mount, as far as its permissions go"),
  Option(
    "turns", value: .number("MS", 1...1000), group: .rest,
    "answer waiting threads one at a time, drawn from the seed, once none has come for MS milliseconds"),
  Option(
    "xattrs", group: .rest,
    "answer extended attributes, which the kernel then asks for at every small write: it costs twice as much"),
  Option(
    "locks", group: .rest, "keep the locks of fcntl(2) and flock(2), so that faults can hit them (the kernel does)"),
  Option(
    "see-sync", group: .rest, "see sync(2) and syncfs(2), which make everything durable: for root, since Linux 6.18"),
  Option("keep-data", group: .rest, "keep every byte ever written in memory, for 'ctl write-log'"),
]

let mountVerb = Verb(
  "mount", "mount a tree that fails as a plan says, for programs under test",
  options: diskOptions + [
    Option(
      "copy", value: .file("FILE"),
      "begin with this file of your working directory, at the same path; may be given several times"),
    Option("foreground", short: "f", "stay in the foreground until it is unmounted"),
    Option(
      "control", value: .file("SOCKET"), group: .rest, "make the socket for 'ctl' here, instead of a place of its own"),
    Option(
      "fixed-plan", group: .rest,
      "no socket for 'ctl': the faults stay as they are, and close(2) costs nothing where none can hit it"),
    Option(
      "until-input-ends", group: .rest,
      "with -f, unmount when standard input ends, for a program that starts this one"),
    Option(
      "remove", group: .rest, "remove DIR once it is unmounted, and the directory around it where nothing else is in it"
    ),
  ],
  operands: Operands(
    "DIR", count: 1...1,
    "DIR is an empty directory. The command returns when the mount can be used, and says which process serves it. "
      + "Nothing below DIR ever reaches a disk. To end it: umount DIR, fusermount3 -u DIR, faultfs ctl DIR unmount, "
      + "or a SIGTERM to the process"),
  examples: [
    Example("faultfs mount /tmp/disk", "an empty disk"),
    Example("faultfs mount /tmp/disk --from ~/notes --plan full.plan", "a copy of your notes, and faults"),
    Example("faultfs mount -f /tmp/disk --log run.log --export after/", "keep what happened and what is left"),
  ],
  exitStatuses: [
    ExitStatus(0, "it is mounted; with -f, it was and has been unmounted"),
    ExitStatus(2, "the command line, the plan or a directory is not right"),
    ExitStatus(4, "this machine cannot mount; the message says what to do"),
  ])
