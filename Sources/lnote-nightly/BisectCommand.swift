import Files
import Options
import Processes
import Terminal

/// `lnote-nightly bisect`: which change of the store broke a scenario.
///
/// Each commit is built in a checkout of its own. Only its store is run: the disk, the check and the judge are those of
/// this program, so that a change of theirs is not taken for one of the store.
struct BisectCommand {
  /// What builds the store's driver, where nothing is said.
  static let usualBuild = "swift build -c release --product lnote-driver"
  /// Where that leaves it.
  private static let driver = ".build/release/lnote-driver"

  private let reading: OptionReading

  init(_ reading: OptionReading) { self.reading = reading }

  /// 0 where the change was found, 3 where it was not.
  func run() throws(Refusal) -> Int32 {
    let range = reading.operands[1].text.components(of: "..")
    let (good, bad) = (range[0], range.count > 1 ? range[1] : "HEAD")
    for commit in [good, bad] where commit.hasPrefix("-") { throw Refusal(2, "'\(commit)' is no commit") }
    do {
      let place = try Host.makeTemporaryFolder(prefix: "lnote-bisect-")
      // The commits of the bisection may not have the file yet, or another one of that name.
      let copy = place.appending("case.scn")
      try self.copy(BytePath(bytes: reading.operands[0].bytes), to: copy)
      let checkout = place.appending("checkout")
      defer { remove(place, checkout) }
      try git(["worktree", "add", "--detach", "--force", checkout.description, bad])
      try git(["bisect", "start", bad, good, "--"], in: checkout)
      defer { _ = try? git(["bisect", "reset"], in: checkout) }
      NightlyProgram.complain("building commits between \(good) and \(bad); each may take minutes")
      let log = try git(["bisect", "run", "sh", "-c", script(copy)], in: checkout)
      guard let line = log.split(separator: "\n").first(where: { $0.hasSuffix("is the first bad commit") }) else {
        NightlyProgram.say("Not found: \(log.split(separator: "\n").suffix(3).joined(separator: "; "))\n")
        return 3
      }
      let commit = String(line.prefix { $0 != " " })
      NightlyProgram.say("First fails at " + (try git(["log", "-1", "--format=%h %s", commit])))
      return 0
    } catch {
      throw (error as? Refusal) ?? Refusal(4, "\(error)")
    }
  }

  /// What git runs for each commit: 0 it passes, 1 it fails, 125 it cannot be said.
  private func script(_ file: BytePath) throws -> String {
    let build = reading.text("build-command") ?? Self.usualBuild
    let tool = BytePath(bytes: try OwnProgram.directory()).appending("lnote-scenario").description
    return """
      (\(build)) >&2 || exit 125
      '\(tool)' run --driver "$PWD/\(Self.driver)" '\(file)' >&2
      case $? in 0) exit 0 ;; 1) exit 1 ;; *) exit 125 ;; esac
      """
  }

  private func copy(_ file: BytePath, to target: BytePath) throws(Refusal) {
    let bytes = try Refusal.reading(file) { () throws(FileCallError) in
      let path = try Host.absolutePath(of: file)
      return try HostVolume(root: path.folderOnHost).readWhole(path.name, sizeMax: 1 << 20)
    }
    try RunFolder(target.parent, makes: false).write(bytes, to: target.name.description)
  }

  /// What git writes.
  @discardableResult
  private func git(_ words: [String], in folder: BytePath? = nil) throws -> String {
    var launch = Launch("git", words)
    launch.workingDirectory = folder?.bytes
    launch.hasOwnGroup = true
    let result = try launch.run(limitMilliseconds: Self.limitMilliseconds)
    // A bisection that finds nothing is told by what it wrote.
    if !result.ending.isSuccess, words.prefix(2) != ["bisect", "run"] {
      throw Refusal(
        2, "git \(words.joined(separator: " ")): \(result.errorText.split(separator: "\n").last ?? "failed")")
    }
    return result.outputText
  }

  /// A day: each commit is built.
  private static let limitMilliseconds = 86_400_000

  private func remove(_ place: BytePath, _ checkout: BytePath) {
    _ = try? git(["worktree", "remove", "--force", checkout.description])
    try? HostVolume(root: place).removeAll(below: .root)
    try? HostVolume(root: place.parent).removeDirectory(place.name)
  }
}

extension String {
  fileprivate func components(of separator: String) -> [String] {
    guard let range = firstRange(of: separator) else { return [self] }
    return [String(self[..<range.lowerBound]), String(self[range.upperBound...])]
  }
}
