import Files
import Glibc
import LNoteFsck
import Options

/// The folder that `--quarantine` names.
enum QuarantineFolder {
  /// The folder, made where it is missing and that is wanted; a usage error where it is none to set anything aside in.
  static func open(_ word: Word, for jobs: [Job], isMade: Bool) throws(UsageError) -> Quarantine {
    let text = word.text
    let path: BytePath
    let isThere: Bool
    let resolved: BytePath
    do throws(FileCallError) {
      path = normal(try Host.absolutePath(of: BytePath(bytes: word.bytes)))
      if path.components.isEmpty { throw FileCallError("open", [path], Errno(rawValue: EBUSY)) }
      let around = try Host.resolvedPath(of: path.folderOnHost)
      isThere = try exists(path.name, in: around)
      resolved = isThere ? try Host.resolvedPath(of: path) : normal(around.appending(path.name))
    } catch {
      throw UsageError("nothing can be set aside in \"\(text)\": \(error.errno.description).")
    }
    if resolved != path {
      throw UsageError("\"\(text)\" leads through a link to \"\(resolved)\": name that folder itself.")
    }
    if path.components.contains(where: { $0.hasSuffix(".lnote") }) {
      throw UsageError("\"\(text)\" lies in a document: name a folder outside of it.")
    }
    for (place, job) in jobs.enumerated() {
      let name = job.package.path.name
      if jobs[..<place].contains(where: { $0.package.path.name == name }) {
        throw UsageError(
          "there are two documents of the name \(name): set aside what is theirs in two folders, one after the other.")
      }
    }
    do throws(FileCallError) {
      if !isThere && isMade { try HostVolume(root: path.folderOnHost).makeDirectory(path.name, permissions: 0o755) }
      return Quarantine(volume: try HostVolume(root: path), shown: trimmed(text))
    } catch {
      throw UsageError("nothing can be set aside in \"\(text)\": \(error.errno.description).")
    }
  }

  /// The path without "." and "..", as the words say it.
  private static func normal(_ path: BytePath) -> BytePath {
    var names: [BytePath] = []
    for name in path.components where name != "." {
      if name == ".." { _ = names.popLast() } else { names.append(name) }
    }
    return BytePath(bytes: names.flatMap { [UInt8(ascii: "/")] + $0.bytes })
  }

  private static func exists(_ name: BytePath, in folder: BytePath) throws(FileCallError) -> Bool {
    do throws(FileCallError) {
      _ = try HostVolume(root: folder).status(at: name)
      return true
    } catch {
      if error.errno.name == "ENOENT" { return false }
      throw error
    }
  }

  private static func trimmed(_ text: String) -> String {
    String(text.reversed().drop { $0 == "/" }.reversed())
  }
}

extension RunRequest {
  /// Gives the jobs the folder for what they set aside, and those in which they look; says where that would be synced to other devices.
  func chooseFolders(for jobs: inout [Job], _ report: inout RunReport) throws(UsageError) {
    let lookIn = try self.lookIn.map { (word) throws(UsageError) in try LookInFolder.open(word) }
    for place in jobs.indices { jobs[place].lookIn = lookIn }
    guard let quarantine else {
      if isAboutThisPlace { report.noteSynced(jobs) }
      return
    }
    let folder = try QuarantineFolder.open(quarantine, for: jobs, isMade: mode != .undo)
    for place in jobs.indices { jobs[place].quarantine = folder }
  }
}

extension RunReport {
  /// Says where what is to be changed lies in a folder that a service syncs.
  fileprivate mutating func noteSynced(_ jobs: [Job]) {
    var known: [BytePath: [DirectoryEntry]] = [:]
    for job in jobs where !job.argument.isArchive {
      guard let host = job.argument.volume as? HostVolume, let root = try? Host.resolvedPath(of: host.rootPath),
        let synced = SyncedFolder.around(
          root.appending(job.package.path),
          entries: { folder in
            if let entries = known[folder] { return entries }
            let entries = try? HostVolume(root: folder).entries(of: .root, countMax: SurveyLimits.namesMax)
            known[folder] = entries ?? []
            return entries ?? []
          })
      else { continue }
      note(synced)
    }
  }
}
