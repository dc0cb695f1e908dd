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
  /// - Parameter driver: another store's driver, its program and words; nil for ours.
  /// - Throws: where a live mount is demanded and cannot be had, or a program is missing.
  package init(_ wish: DoorWish, driver: [String]? = nil) throws(HarnessError) {
    let obstacle = MountedDisk.obstacle
    switch wish {
    case .inProcess:
      programs = nil
      self.obstacle = nil
    case .live:
      if let obstacle { throw .disk(obstacle) }
      programs = try Programs.beside(driver: driver)
      self.obstacle = nil
    case .whatIsPossible:
      programs = obstacle == nil ? try Programs.beside(driver: driver) : nil
      self.obstacle = obstacle
    }
  }

  /// A fresh, empty disk.
  package func makeDisk(seed: UInt64) throws(HarnessError) -> any TestDisk {
    guard let programs else { return InProcessDisk(seed: seed) }
    return try MountedDisk(programs: programs)
  }
}
