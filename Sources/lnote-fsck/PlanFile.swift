import Files
import LNoteFormat
import LNoteFsck
import Options

/// The file of a plan that `--save-plan` or `--apply-plan` names.
enum PlanFile {
  /// The plan in the file; a usage error, with the place, where it is none.
  static func read(_ word: Word) throws(UsageError) -> SavedPlan {
    let bytes: [UInt8]
    do throws(FileCallError) {
      let path = try Host.absolutePath(of: BytePath(bytes: word.bytes))
      let folder = try HostVolume(root: path.parent.isRoot ? "/" : path.parent)
      let status = try folder.status(at: path.name)
      guard status.kind == .regular else { throw FileCallError("open", [path], Errno(rawValue: 22)) }
      bytes = try folder.readWhole(path.name, sizeMax: SavedPlan.fileBytesMax)
    } catch {
      let reason = error.errno.name == "EINVAL" ? "it is no file" : error.errno.description
      throw UsageError("the plan \"\(word.text)\" cannot be read: \(reason).")
    }
    do throws(PlanFault) {
      return try SavedPlan.read(bytes)
    } catch {
      throw UsageError("\"\(word.text)\" is no plan that can be followed: \(error).")
    }
  }

  /// Writes the plan of a run; what keeps it from that becomes an error of the run.
  static func write(_ report: inout RunReport, to target: ReportTarget, mode: RepairMode, now: Timestamp) {
    let planned = report.items.compactMap(\.report.planned)
    if planned.isEmpty { return }
    if let twice = planned.first(where: { one in planned.count { $0.name == one.name } > 1 }) {
      report.fail(
        "the plan was not written: two documents have the name \(twice.name). Make a plan of each by itself.",
        .operational)
      return
    }
    let bytes = SavedPlan(mode: mode, made: now, documents: planned).encoded()
    if bytes.count > SavedPlan.fileBytesMax {
      report.fail("the plan was not written: it is too long. Make a plan of fewer documents.", .operational)
    } else if target.write(&report, bytes, what: "plan") {
      report.planFile = target.text
    }
  }
}

extension SavedPlan {
  /// The jobs that the plan is about; a usage error where a document of it is not among them, or twice.
  func jobs(among jobs: [Job], _ word: Word) throws(UsageError) -> [Job] {
    var chosen: [Job] = []
    for document in documents {
      let fitting = jobs.filter { $0.package.path.name == document.name }
      guard let job = fitting.first else {
        throw UsageError("\"\(word.text)\" is a plan for \(document.name), which is not there.")
      }
      if fitting.count > 1 {
        throw UsageError("there are two documents of the name \(document.name): name the one that is meant.")
      }
      chosen.append(job.with(self, document))
    }
    return chosen
  }
}

extension Job {
  fileprivate func with(_ plan: SavedPlan, _ document: PlannedDocument) -> Job {
    var job = self
    (job.plan, job.planned) = (plan, document)
    return job
  }
}
