import FileTracing
import Files
import Linting

/// A log for a test, from steps in words. Inode numbers are given to names as they are made.
///
///     create a · write a 10 · truncate a 0 · fsync a · rename a b · exchange a b · link a b · unlink a
///     mkdir d · rmdir d · symlink s · sync · mark · read a · allocate a 0 100
struct LintRun {
  private var inodes: [BytePath: UInt64] = ["": 1]
  private var nextInode: UInt64 = 2
  private(set) var records: [OperationRecord] = []

  /// `start` are the paths that are there when it begins: "d/" a directory, "a" a file of 10 bytes.
  init(_ start: [String], _ steps: [String]) {
    for path in start { know(BytePath(path.hasSuffix("/") ? String(path.dropLast()) : path)) }
    for step in steps { follow(step) }
  }

  /// What is there, as `Lint` wants it.
  static func start(_ paths: [String]) -> [LintStart] {
    paths.map { path in
      path.hasSuffix("/")
        ? LintStart(BytePath(String(path.dropLast())), .directory) : LintStart(BytePath(path), .regular, size: 10)
    }
  }

  private mutating func know(_ path: BytePath) {
    inodes[path] = nextInode
    nextInode += 1
  }

  private mutating func follow(_ step: String) {
    let fails = step.hasSuffix("!")
    let words = step.filter { $0 != "!" }.split(separator: " ").map(String.init)
    let path = words.count > 1 ? BytePath(words[1] == "." ? "" : words[1]) : .root
    let name = words[0] == "exchange" ? "rename" : words[0]
    guard let kind = OperationKind(rawValue: name) else { preconditionFailure("no operation '\(step)'") }
    var record = OperationRecord(number: UInt64(records.count + 1), kind: kind, path: path, errno: fails ? .eio : nil)
    switch words[0] {
    case "create", "mkdir", "symlink": if !fails { know(path) }
    case "write":
      record.lengthAsked = UInt64(words[2]) ?? 0
      record.lengthTaken = record.lengthAsked
      record.offset = words.count > 3 ? UInt64(words[3]) ?? 0 : 0
    case "truncate": record.offset = UInt64(words[2]) ?? 0
    case "allocate":
      record.argument = UInt64(words[2]) ?? 0
      record.lengthAsked = UInt64(words[3]) ?? 0
    case "rename", "exchange", "link": record.otherPath = BytePath(words[2])
    case "mark": record.mark = words.count > 1 ? words[1] : Lint.syncMark
    default: break
    }
    record.inode = inodes[path] ?? 0
    if words[0] == "exchange" { record.argument = 2 }
    records.append(record)
    if !fails { move(words, path, record.otherPath) }
  }

  private mutating func move(_ words: [String], _ path: BytePath, _ other: BytePath?) {
    guard let other else { return }
    switch words[0] {
    case "rename":
      for (old, inode) in inodes where old.isWithin(path) && !path.isRoot {
        inodes[old] = nil
        inodes[BytePath(bytes: other.bytes + old.bytes.dropFirst(path.bytes.count))] = inode
      }
    case "exchange": (inodes[path], inodes[other]) = (inodes[other], inodes[path])
    case "link": inodes[other] = inodes[path]
    default: break
    }
  }
}
