import Files
import Processes

/// A rename(2) that a thread is in, as /proc tells of it.
struct RenameCall: Equatable {
  /// The line of /proc/THREAD/syscall: the number of the call, its arguments, where it came from.
  let line: [UInt8]
  /// The last component of the old path.
  let from: BytePath
  /// The last component of the new path.
  let to: BytePath

  /// A call of this line and these names.
  init(line: [UInt8], from: BytePath, to: BytePath) {
    self.line = line
    self.from = from
    self.to = to
  }

  /// The rename that a thread is in; nil where it is in none, or where we may not look at it.
  init?(of thread: Int32) {
    guard let line = ProcessFile.systemCall(of: thread), let places = RenameCall.places(ofPathsIn: line),
      let from = ProcessFile.text(at: places.from, of: thread), let to = ProcessFile.text(at: places.to, of: thread),
      let oldName = BytePath(bytes: from).components.last, let newName = BytePath(bytes: to).components.last
    else { return nil }
    self.init(line: line, from: oldName, to: newName)
  }

  /// Where in the thread's memory the two paths are; nil for a line that tells of no rename.
  static func places(ofPathsIn line: [UInt8]) -> (from: UInt64, to: UInt64)? {
    let fields = line.split { $0 <= 0x20 }.map { String(decoding: $0, as: UTF8.self) }
    guard let number = fields.first.flatMap({ Int($0) }), let paths = RenameCalls.paths(ofCall: number) else {
      return nil
    }
    func argument(_ place: Int) -> UInt64? {
      fields.count > place + 1 ? UInt64(fields[place + 1].dropFirst("0x".count), radix: 16) : nil
    }
    guard let from = argument(paths.from), let to = argument(paths.to) else { return nil }
    return (from, to)
  }
}
