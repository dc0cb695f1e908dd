import Files
import LNoteFsck
import Options

extension RunReport {
  /// Adds what is to be said of folders and archives themselves.
  mutating func addOthers(of arguments: [Argument]) {
    for argument in arguments {
      for other in argument.others {
        add(
          Item(
            report: other.telling(selection.rules), shown: argument.prefix, path: argument.prefixPath,
            prefix: argument.prefix, isInArchive: argument.isArchive))
      }
    }
  }

  /// Adds what came of the first of the jobs, with what their names tell, and only all of them together.
  mutating func add(_ found: [PackageReport], of jobs: [Job], copiedTo target: Word?, _ album: PictureAlbum) {
    let duplicates = LibraryCheck.duplicates(
      among: zip(jobs, found).map { job, report in (report.documentID, job.shown, job.package.isConflictCopy) })
    for (place, var result) in found.enumerated() {
      let job = jobs[place]
      result.note(job.package.notes + [duplicates[place]].compactMap(\.self), selection.rules)
      let prefix = target.map { "\($0.text)/" } ?? job.argument.prefix
      add(
        Item(report: result, shown: job.shown, path: job.path, prefix: prefix, isInArchive: job.argument.isArchive))
      pictures[job.shown] = album.kept[place]
    }
  }

  /// The jobs of the part of the documents that the run is about.
  mutating func choose(among jobs: [Job]) -> [Job] {
    selection.documentsInAll = jobs.count
    guard let part = selection.part else { return jobs }
    return jobs.filter { part.contains($0.package.path) }
  }
}
