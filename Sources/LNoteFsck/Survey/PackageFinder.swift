import Files

/// Looks for packages below a folder: folders whose name ends in ".lnote".
///
/// No link is followed, and nothing is looked for inside a package, in a hidden folder, in what a repair set aside, or
/// in the twins that macOS puts into its archives.
package struct PackageFinder {
  private let volume: any Volume
  /// The packages, in the order of their paths' bytes.
  package private(set) var packages: [BytePath] = []
  /// Folders that could not be listed, each with its reason as a report.
  package private(set) var failures: [PackageReport] = []

  /// Searches `folder` of the volume.
  package init(below folder: BytePath, in volume: any Volume) {
    self.volume = volume
    search(folder, depth: 0)
    packages.sort()
  }

  /// True where a folder is a package itself, by its name or by what is in it.
  package static func isPackage(_ path: BytePath, in volume: any Volume) -> Bool {
    if path.hasSuffix(".lnote") { return true }
    return (try? volume.status(at: path.appending(PackagePaths.document)))?.kind == .regular
  }

  private mutating func search(_ folder: BytePath, depth: Int) {
    let entries: [DirectoryEntry]
    do throws(FileCallError) {
      entries = try volume.entries(of: folder, countMax: SurveyLimits.namesMax)
    } catch {
      var report = PackageReport(package: folder)
      report.found = [
        ObstacleCheck.problem(
          of: FileCallFailure(error), path: nil, what: folder.isRoot ? "The folder" : "The folder \(folder)")
      ]
      report.left = report.found
      failures.append(report)
      return
    }
    for entry in entries {
      let path = folder.appending(entry.name)
      if entry.name.hasSuffix(".lnote") && !entry.name.hasPrefix(".") {
        // A link leads to a document that is found, or not, at its own place.
        if entry.kind != .symbolicLink { packages.append(path) }
      } else if depth < SurveyLimits.depthMax, isFolderToSearch(entry, path) {
        search(path, depth: depth + 1)
      }
    }
  }

  private func isFolderToSearch(_ entry: DirectoryEntry, _ path: BytePath) -> Bool {
    if entry.name.hasPrefix(".") || entry.name.hasSuffix("-lost+found") || entry.name == "__MACOSX" { return false }
    let kind = entry.kind == .unknown ? (try? volume.status(at: path))?.kind : entry.kind
    return kind == .directory
  }
}
