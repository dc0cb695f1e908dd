import Archives
import Files
import Terminal

/// What came of an archive as a whole: LN0006, LN0011, LN0013.
package enum ArchiveCheck {
  /// A report on the archive itself; nil where it is whole.
  ///
  /// - Parameter name: the archive as the user calls it.
  package static func report(of account: ArchiveAccount, name: BytePath) -> PackageReport? {
    let problems = problems(in: account, name: name)
    return problems.isEmpty ? nil : PackageReport(container: name, problems)
  }

  /// A report on an archive that could not be read or held; what is to be done follows from the error.
  package static func report(of error: FileCallError, name: BytePath) -> PackageReport {
    let failure = FileCallFailure(error)
    var problem = ObstacleCheck.problem(of: failure, path: nil, what: "\(name)")
    if ["ENOSPC", "EDQUOT", "EROFS"].contains(failure.errno.name) {
      problem.statement = Sentences.noRoomToUnpack(failure)
      problem.saysAll = true
    }
    return PackageReport(container: name, [problem])
  }

  private static func problems(in account: ArchiveAccount, name: BytePath) -> [Problem] {
    var found: [Problem] = []
    let count = Sentences.entries(account.held - (account.cut == nil ? 0 : 1))
    switch account.end {
    case .whole: break
    case .damaged(let evidence):
      var problem = Problem(
        .archiveDamaged, evidence: evidence, slots: ["what": "The archive", "count": count])
      problem.details = Sentences.archiveEnd(account.cut)
      found.append(problem)
    case .tooLarge(let limit):
      found.append(told(.resourceLimit, Sentences.unpacksToTooMuch(limit), evidence: "\(limit) bytes"))
    case .tooMany(let limit):
      found.append(told(.resourceLimit, Sentences.holdsTooMany(limit), evidence: "\(limit) entries"))
    }
    let parts: [(ProblemKind, Severity, ArchiveAccount.Entries, String)] = [
      (.archiveDamaged, .error, account.damaged, "Could not be unpacked, or not as it was packed"),
      (.permissionDenied, .error, account.encrypted, "Locked by a password; unpack it, then check the folder"),
      (.archiveDamaged, .warning, account.outside, "Left out, since the name leads out of the archive or is too long"),
      (.archiveDamaged, .info, account.absolute, "Named from the root of a disk, which was left out"),
      (.archiveDamaged, .warning, account.doubled, "Named as another one is; the last whole one counts"),
    ]
    for (kind, severity, entries, text) in parts where entries.count > 0 {
      var problem = told(kind, Sentences.someEntries(entries, text), evidence: "\(entries.count) entries")
      problem.severity = severity
      problem.details = [Sentences.examples(entries)]
      found.append(problem)
    }
    return found
  }

  private static func told(_ kind: ProblemKind, _ statement: String, evidence: String) -> Problem {
    var problem = Problem(kind, evidence: evidence)
    problem.statement = statement
    problem.saysAll = true
    return problem
  }
}

extension PackageReport {
  /// A folder or archive in which documents are, and what is to be said of it.
  init(container name: BytePath, _ problems: [Problem]) {
    self.init(package: name)
    isDocument = false
    title = "\(name)"
    found = problems
    left = problems
  }
}
