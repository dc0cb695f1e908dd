/// What newcomers write first, and what the language calls it.
enum Synonyms {
  /// The words that a step can begin with.
  static let steps = [
    "stroke", "erase", "move", "insert-image", "delete", "add", "undo", "redo", "title", "wait", "background",
    "foreground", "close", "reopen", "kill", "power-cut", "fsck", "repair", "remember", "note", "sometimes", "maybe",
    "fault", "free-space", "clear", "expect", "do", "exec", "repeat", "any", "shuffle", "with", "when", "for",
  ]
  /// The words that stand at the outermost level only.
  static let items = [
    "store", "model", "autosave", "seed", "durability", "budget", "tags", "issue", "known-failing", "command",
    "mutant", "thumbnails", "param", "include", "define", "document",
  ]

  /// First words of a step, and the advice.
  static let firstWords: [String: String] = [
    "save": "write 'wait until saved' (autosave) or 'background' (saves at once)",
    "autosave-now": "write 'wait until saved'",
    "flush": "write 'background', which saves every changed page at once",
    "background-flush": "write 'background'",
    "draw": "write 'stroke p1 points 50'",
    "line": "write 'stroke p1 points 50'",
    "pen": "write 'stroke p1 pen fountain'",
    "crash": "write 'power-cut' (the machine) or 'kill' (the program)",
    "cut": "write 'power-cut'",
    "battery": "write 'power-cut'",
    "unplug": "write 'power-cut'",
    "reboot": "write 'power-cut', then 'reopen'",
    "sigkill": "write 'kill'",
    "terminate": "write 'kill'",
    "checkpoint": "write 'remember NAME'",
    "snapshot": "write 'remember NAME'",
    "quota": "write 'free-space 64KiB'",
    "disk": "write 'free-space 0B' for a full disk, 'free-space unlimited' for room again",
    "disk-full": "write 'free-space 0B'",
    "photo": "write 'insert-image p1 size 2MiB as photo'",
    "image": "write 'insert-image p1 size 2MiB as photo'",
    "insert": "write 'insert-image p1 size 2MiB as photo'",
    "insert-photo": "write 'insert-image p1 size 2MiB as photo'",
    "add-image": "write 'insert-image p1 size 2MiB as photo'",
    "add-page": "write 'add page p3'",
    "new": "write 'add page p3'",
    "remove": "write 'delete'",
    "rename": "write 'title \"New title\"'",
    "sleep": "write 'wait 600ms'",
    "delay": "write 'wait 600ms'",
    "pause": "write 'wait 600ms'",
    "open": "write 'reopen'; the documents are open when a scenario begins",
    "restart": "write 'reopen'",
    "quit": "write 'close'",
    "exit": "write 'close'",
    "leave": "write 'background'",
    "assert": "write 'expect …'",
    "verify": "write 'expect …'",
    "check": "write 'fsck' to look, or 'expect fsck clean' to judge",
    "lnote-fsck": "write 'fsck'",
    "fix": "write 'repair'",
    "loop": "write 'repeat 3 { … }'",
    "while": "write 'repeat 3 { … }' or 'for n = 1.. until success { … }'",
    "if": "there is no 'if'; write 'when store snapshot { … }'",
    "set": "write 'param NAME = VALUE' at the top of the file",
    "let": "write 'param NAME = VALUE' at the top of the file",
    "call": "write 'do NAME(…)'",
    "run": "write 'do NAME(…)' or 'exec \"COMMAND\"'",
    "inject": "write 'fault EIO on write of page p1 nth 1'",
    "fail": "write 'fault EIO on write of page p1 nth 1'",
    "error": "write 'fault EIO on write of page p1 nth 1'",
    "print": "write 'note \"…\"'",
    "echo": "write 'note \"…\"'",
  ]

  /// Words behind `expect`, and the advice.
  static let expectations: [String: String] = [
    "clean": "write 'expect fsck clean'",
    "no-loss": "write 'expect fsck no-loss'",
    "never": "write 'expect fsck never NAME'",
    "exactly": "write 'expect fsck exactly NAME'",
    "success": "write 'expect ok'",
    "no-error": "write 'expect ok'",
    "fail": "write 'expect error EIO'",
    "failure": "write 'expect error EIO'",
    "ENOSPC": "write 'expect error ENOSPC'",
    "EIO": "write 'expect error EIO'",
  ]

  /// First words of a fault, and ours.
  static let effects: [String: String] = [
    "bit-rot": "flip 1 bits", "bitrot": "flip 1 bits", "bit-flip": "flip 1 bits", "bitflip": "flip 1 bits",
    "corrupt": "flip 1 bits", "corruption": "flip 1 bits", "partial-write": "short-write 512B",
    "lost-write": "torn-write 0B", "torn": "torn-write 4KiB", "partial-read": "short-read 512B", "delay": "slow 200ms",
    "latency": "slow 200ms", "sleep": "slow 200ms", "stall": "hang", "freeze": "hang", "block": "hang",
    "lying-fsync": "fsync-lie", "lie": "fsync-lie", "fsyncgate": "fsync-fail drop-dirty",
    "fail-fsync": "fsync-fail drop-dirty", "misdirected-write": "misplaced-block", "read-only": "remount-ro",
    "readonly": "remount-ro", "ro": "remount-ro", "locked": "locked-device", "rollback": "rolled-back",
    "cloud": "placeholder", "evicted": "placeholder", "powercut": "power-cut", "sigkill": "kill",
  ]

  /// Units of other tools, and ours.
  static func unit(_ unit: String) -> String? {
    switch unit.lowercased() {
    case "b", "byte", "bytes": "B"
    case "k", "kb", "kib": "KiB (1024)"
    case "m", "mb", "mib": "MiB (1024 x 1024)"
    case "g", "gb", "gib": "GiB (1024 x 1024 x 1024)"
    case "t", "tb", "tib": "GiB (1024 x 1024 x 1024)"
    case "sec", "secs", "second", "seconds": "s"
    case "msec", "millis", "millisecond", "milliseconds": "ms"
    case "mins", "minute", "minutes": "min"
    case "hour", "hours", "hr", "hrs": "h"
    case "pt", "px", "points": "no unit: lengths are in points"
    case "us", "ns": "ms, the smallest unit"
    default: nil
    }
  }
}
