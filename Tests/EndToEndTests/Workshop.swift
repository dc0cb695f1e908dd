import Files
import Glibc
import Processes
import TestSupport

/// A place in which one test starts programs: whatever they leave behind can be seen afterwards.
///
/// Each of them takes `tmp` in here for the folder of temporary files, and hands that on to whatever it starts.
final class Workshop {
  private let directory: TemporaryDirectory
  /// Where the programs start, empty at first.
  var path: BytePath { directory.path.appending("work") }
  private var temporary: BytePath { directory.path.appending("tmp") }

  /// No program is waited for any longer; generous, since the machine may be busy.
  static let millisecondsMax = 300_000

  init() throws {
    directory = try TemporaryDirectory("e2e")
    for name in ["work", "tmp"] as [BytePath] { try directory.volume().makeDirectory(name, permissions: 0o755) }
  }

  /// The place as a volume.
  func volume() throws -> HostVolume { try HostVolume(root: path) }

  /// A program of this package with its words, ready to start.
  func launch(_ program: String, _ words: [String]) throws -> Launch {
    wrapped(Launch(try builtProgram(program).description, words))
  }

  /// Any program, made to leave its traces here.
  func wrapped(_ launch: Launch) -> Launch {
    var launch = launch
    launch.environment.append(("TMPDIR", temporary.description))
    launch.workingDirectory = path.bytes
    return launch
  }

  /// Runs a program of this package to its end.
  func run(_ program: String, _ words: [String]) throws -> ProgramResult {
    try launch(program, words).run(limitMilliseconds: Workshop.millisecondsMax)
  }

  /// What was left behind: temporary files, mounts, and processes that still run; sorted, with a word for the kind.
  ///
  /// Programs may still be at work on the files: what goes away while it is looked at was not left.
  func leftBehind() throws -> [String] {
    let files = try Workshop.names(below: .root, of: HostVolume(root: temporary)).map { "file \($0)" }
    return (files + (try mounts()) + processes()).sorted()
  }

  private static func names(below directory: BytePath, of volume: any Volume) throws -> [BytePath] {
    let entries = try whileThere { () throws(FileCallError) in try volume.entries(of: directory, countMax: 1 << 20) }
    var paths: [BytePath] = []
    for entry in entries ?? [] {
      let path = directory.appending(entry.name)
      guard let kind = try whileThere({ () throws(FileCallError) in try volume.status(at: path).kind }) else {
        continue
      }
      paths.append(path)
      if kind == .directory { paths += try names(below: path, of: volume) }
    }
    return paths
  }

  /// The answer; nil where what was asked about is gone.
  private static func whileThere<T>(_ ask: () throws(FileCallError) -> T) throws -> T? {
    do throws(FileCallError) {
      return try ask()
    } catch {
      if error.errno.name == "ENOENT" { return nil }
      throw error
    }
  }

  private func mounts() throws -> [String] {
    let table = try HostVolume(root: "/proc/self").readWhole("mountinfo", sizeMax: 64 << 20)
    return String(decoding: table, as: UTF8.self).split(separator: "\n").compactMap { line in
      let fields = line.split(separator: " ")
      return fields.count > 4 && fields[4].hasPrefix(directory.text) ? "mount \(fields[4])" : nil
    }
  }

  private func processes() -> [String] {
    let mark = Array("TMPDIR=\(temporary)\u{0}".utf8)
    guard let all = try? HostVolume(root: "/proc").entries(of: .root, countMax: 1 << 20) else { return ["no /proc"] }
    return all.compactMap { entry in
      guard Int32(entry.name.description) != nil else { return nil }
      // One that ended meanwhile, or is another user's, cannot be read and is none of ours.
      guard let folder = try? HostVolume(root: BytePath("/proc").appending(entry.name)) else { return nil }
      guard let variables = try? folder.readWhole("environ", sizeMax: 1 << 20) else { return nil }
      guard variables.split(separator: 0).contains(where: { Array($0) + [0] == mark }) else { return nil }
      let name = (try? folder.readWhole("comm", sizeMax: 1 << 10)) ?? []
      return "process \(entry.name) \(String(decoding: name.dropLast(), as: UTF8.self))"
    }
  }
}

extension ProgramResult {
  /// Standard output with the times of the run masked: "passed in # s".
  var maskedOutput: String { outputText.replacing(/(in|after) [0-9]+\.[0-9] s/) { "\($0.output.1) # s" } }
}
