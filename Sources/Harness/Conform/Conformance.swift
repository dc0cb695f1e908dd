import Files

/// Tries a store's driver against the protocol, each check in a library of its own.
package struct Conformance {
  private let programs: Programs
  private let obstacle: String?

  /// Checks of this driver, nil for ours; those that need a mount stay open where none can be had.
  ///
  /// - Throws: where a program is missing.
  package init(driver: [String]?, stepSecondsMax: Int) throws(HarnessError) {
    programs = try Programs.beside(driver: driver, stepSecondsMax: stepSecondsMax)
    obstacle = try MountTrial.obstacle(programs)
    // A driver that is not there is trouble of the environment, and no finding.
    do throws(Objection) { try DriverTalk(programs).kill() } catch {
      throw .program(name: programs.driver.joined(separator: " "), reason: error.result.sentence ?? "cannot be started")
    }
  }

  /// Runs every check.
  package func run() -> ConformReport {
    var results: [(check: ConformCheck, result: ConformResult)] = []
    var late: [String] = []
    for check in ConformCheck.allCases where check != .deadline {
      let isOpen = results.first { [.greeting, .start].contains($0.check) && $0.result != .passed }
      if let isOpen, check != .start || isOpen.check == .greeting {
        results.append((check, .unknown("'\(isOpen.check.rawValue)' comes first")))
        continue
      }
      let (result, isLate) = outcome(of: check)
      if isLate { late.append(check.rawValue) }
      results.append((check, result))
    }
    let times = late.isEmpty ? ConformResult.passed : .failed("late in: \(late.joined(separator: ", "))")
    results.append((.deadline, times))
    return ConformReport(driver: programs.driver.joined(separator: " "), results: results)
  }

  private func outcome(of check: ConformCheck) -> (result: ConformResult, isLate: Bool) {
    do throws(Objection) {
      switch check {
      case .powerCut, .fullDisk:
        if let obstacle { throw Objection(unknown: "no mount can be had here: \(obstacle)") }
        try onMount(check)
      default: try inFolder(check)
      }
      return (.passed, false)
    } catch {
      return (error.result, error.isLate)
    }
  }

  private func inFolder(_ check: ConformCheck) throws(Objection) {
    let folder: BytePath
    do throws(FileCallError) { folder = try Host.makeTemporaryFolder(prefix: "lnote-conform-") } catch {
      throw Objection(unknown: "\(error)")
    }
    let stage = Stage(root: folder, programs: programs)
    defer {
      stage.finish()
      do throws(FileCallError) {
        try HostVolume(root: folder).removeAll(below: .root)
        try HostVolume(root: folder.folderOnHost).removeDirectory(folder.name)
      } catch {}
    }
    try stage.perform(check)
  }

  private func onMount(_ check: ConformCheck) throws(Objection) {
    let disk: MountedDisk
    do throws(HarnessError) { disk = try MountedDisk(programs: programs) } catch {
      throw Objection(unknown: error.description)
    }
    let stage = Stage(root: disk.root, programs: programs)
    defer {
      stage.finish()
      disk.finish()
    }
    if check == .powerCut { try stage.powerCut(disk) } else { try stage.fullDisk(disk) }
  }
}
