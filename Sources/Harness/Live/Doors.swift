import Files

/// Which door of the fault disk a run goes through.
package enum DoorWish: Sendable {
  /// A live mount where one can be had, else in process.
  case whatIsPossible
  /// In process: fast, the same in every run, no kernel.
  case inProcess
  /// A live mount, or nothing.
  case live
}

/// Makes the disks of a run, all through the same door.
package struct Doors: Sendable {
  /// Why the run is not on a live mount although it was wished; nil where it is, or was not.
  package let obstacle: String?
  private let programs: Programs?

  /// The doors for this wish.
  ///
  /// - Parameters:
  ///   - driver: another store's driver, its program and words; nil for ours.
  ///   - stepSecondsMax: how long a driver may take for one step.
  /// - Throws: where a live mount is demanded and cannot be had, or a program is missing or does not greet as it should.
  package init(
    _ wish: DoorWish, driver: [String]? = nil, stepSecondsMax: Int = Programs.stepSecondsMaxUsual
  ) throws(HarnessError) {
    if case .inProcess = wish {
      programs = nil
      obstacle = nil
      return
    }
    let programs = try Programs.beside(driver: driver, stepSecondsMax: stepSecondsMax)
    obstacle = try MountTrial.obstacle(programs)
    if case .live = wish, let obstacle { throw .disk(obstacle) }
    // A driver that cannot be used is told once, and not of each case.
    if obstacle == nil { try DriverSubject(programs).kill() }
    self.programs = obstacle == nil ? programs : nil
  }

  /// A fresh, empty disk.
  package func makeDisk(seed: UInt64) throws(HarnessError) -> any TestDisk {
    guard let programs else { return InProcessDisk(seed: seed) }
    return try MountedDisk(programs: programs)
  }
}
