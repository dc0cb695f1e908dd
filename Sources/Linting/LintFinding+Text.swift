import Files

// The sentences, for a stranger. Paths stand in them as they are: who prints them on a terminal makes them safe first.
extension LintFinding {
  /// What a power cut could make of it, a sentence without its full stop.
  package var loss: String {
    let name = quoted(path)
    switch cause {
    case .newData:
      return nameIsDoubtful
        ? "\(name) may be missing, empty, cut short or full of zeros"
        : "\(name) may be empty, cut short or full of zeros"
    case .changedData:
      return replaces
        ? "\(name) may be empty: the old content is gone, the new one not there yet"
        : "\(name) may hold old bytes, new ones, or some of both"
    case .made: return replaces ? "\(name) may still be what it was before" : "\(name) may be missing"
    case .moved:
      guard nameIsDoubtful else { return "\(name) may be there again, beside \(quoted(step.otherPath ?? path))" }
      let old = quoted(step.path)
      if directories.count > 1 { return "it may be \(old), \(name), both of them, or neither" }
      return replaces ? "\(name) may still be the old one" : "\(name) may be missing, or still be called \(old)"
    case .removed: return "\(name) may be there again"
    case .renamedBeforeData:
      return replaces
        ? "\(name) may be empty or full of zeros, and its old content gone: neither old nor new"
        : "\(name) may have its final name and be empty or full of zeros"
    case .emptiedFirst:
      return "between the two steps \(name) is empty on the disk: neither old content nor new"
    case .removedBeforeNew:
      return "\(name) may be gone, and \(quoted(earlier?.otherPath ?? earlier?.path ?? .root)) not there yet"
    case .removedThenMade: return "\(name) may be missing altogether: neither the old one nor the new one"
    case .oldDirectoryFirst: return "\(quoted(step.path)) no longer has it, and \(quoted(path)) not yet: gone from both"
    }
  }

  /// What would settle it, a sentence without its full stop.
  package var remedy: String {
    switch cause {
    case .newData, .changedData: return "fsync \(quoted(path)) after line \(step.number), before closing it"
    case .made, .moved, .removed:
      return directories.map { LintFinding.sync(of: $0) }.joined(separator: ", then ") + ", after line \(step.number)"
    case .renamedBeforeData:
      return "fsync \(quoted(files.first ?? path)) between line \(earlier?.number ?? 0) and line \(step.number)"
    case .emptiedFirst:
      return "write a new file beside it, fsync that, rename it to \(quoted(path)), fsync the directory"
    case .removedBeforeNew:
      let syncs = files.map { "fsync \(quoted($0))" } + directories.map { LintFinding.sync(of: $0) }
      return syncs.joined(separator: ", then ") + ", before line \(step.number)"
    case .removedThenMade:
      return "do not remove \(quoted(path)) first: rename the new file over it, which replaces it in one step"
    case .oldDirectoryFirst: return LintFinding.sync(of: path.parent) + ", before line \(step.number)"
    }
  }

  /// Where file systems are kinder than POSIX; nil where none is. The loss may never be seen there.
  package var hiddenBy: String? {
    switch (cause, laterSync) {
    case (.renamedBeforeData, _) where replaces:
      return "ext4's auto_da_alloc often hides it; XFS shows an empty file, btrfs may"
    case (.emptiedFirst, _): return "ext4's auto_da_alloc and XFS start writing at close, which often hides it"
    case (.changedData, _) where replaces:
      return "ext4's auto_da_alloc and XFS start writing at close, which often hides it"
    case (.made, .ofFile(let line)?), (.moved, .ofFile(let line)?):
      return "ext4, XFS and btrfs settle it with the fsync of the file in line \(line); fdatasync may not"
    case (.made, .ofAnything(let line)?), (.moved, .ofAnything(let line)?), (.removed, .ofAnything(let line)?):
      return "ext4 and XFS settle it with the fsync in line \(line), whatever it was of; btrfs does not"
    case (.removedBeforeNew, _), (.oldDirectoryFirst, _):
      return files.isEmpty ? "ext4 and XFS keep the order of names; btrfs does not" : nil
    default: return nil
    }
  }

  /// The steps it is about, in the order of the log.
  package var steps: [LintStep] {
    [step, earlier].compactMap { $0 }.sorted { $0.number < $1.number }
  }

  private static func sync(of directory: BytePath) -> String {
    directory.isRoot
      ? "fsync the directory '.' (open it with O_DIRECTORY)"
      : "fsync the directory '\(directory)/' (open it with O_DIRECTORY)"
  }

  private func quoted(_ path: BytePath) -> String { path.isRoot ? "'.'" : "'\(path)'" }
}
