import FileTracing

// What a rule means for the kernel's memory of names, attributes and pages.
extension FaultRule {
  /// True where, with this rule armed, the kernel must ask about a name each time it meets it.
  ///
  /// The kernel changes its own memory by the answer alone: it moves a name when told "renamed", and keeps it when told
  /// "failed". A torn rename says the first and does something else; an error behind the operation does it and says the
  /// second. And after a power cut nothing must be answered that the kernel happens to remember: the program would see
  /// a disk that works for some names. Recalling comes too late for that, since a request cannot do it.
  var makesNamesDoubtful: Bool {
    switch effect {
    case .tornRename, .powerCut, .shutdown: true
    case .errno, .kill: phase != .before && (operations.isEmpty || !operations.isDisjoint(with: Self.namingKinds))
    default: false
    }
  }

  /// True where, with this rule armed, the kernel must ask about an inode's attributes each time.
  var makesAttributesDoubtful: Bool {
    switch effect {
    // A short answer to a read of pages makes the kernel believe that the file ends there.
    case .powerCut, .shutdown, .rolledBack, .placeholder, .shortRead, .staleRead: true
    default: false
    }
  }

  /// True where this rule can hit a read, which the page cache would answer alone, or change what a file holds.
  var canHitReads: Bool {
    switch effect {
    case .rolledBack, .placeholder, .badSector, .flip, .zeroBlock, .misplacedBlock, .shutdown: true
    default: operations.contains(.read)
    }
  }

  private static let namingKinds: Set<OperationKind> = [.create, .rename, .link, .unlink, .mkdir, .rmdir]
}
