extension ScenarioInventor {
  /// What a case shall be about: chance alone draws some faults often, and others in no night.
  ///
  /// The number of a case says it, so that it is the same in each shard.
  struct Aim: Hashable {
    /// What goes wrong.
    let hazard: Hazard
    /// The places of what is drawn in the course of the hazard, in its order; nil leaves it to chance.
    var effect: Int?
    /// The place of the operation.
    var operation: Int?
    /// The kind of file that is hit.
    var file: FileKind?

    /// The hazards in turn, each as often as its weight says.
    static let turns: [Hazard] = [
      .everyCrash, .fault, .cutInside, .everyFailure, .everyCrash, .fault, .powerCut, .unreadable, .everyCrash, .fault,
      .kill, .cutInside, .everyFailure, .everyCrash, .fault, .tornRename, .unreadable, .fullDisk,
      .olderPage,
    ]

    /// The aim of a case with this number.
    init(number: Int) {
      let hazard = Self.turns[number % Self.turns.count]
      let perRound = Self.turns.count { $0 == hazard }
      let before = Self.turns[..<(number % Self.turns.count)].count { $0 == hazard }
      let all = Self.all(hazard)
      // From one to the next it is far, so that a short run sees something of each kind.
      self = all[(number / Self.turns.count * perRound + before) * Self.stride(all.count) % all.count]
    }

    private init(_ hazard: Hazard, effect: Int? = nil, operation: Int? = nil, file: FileKind? = nil) {
      self.hazard = hazard
      self.effect = effect
      self.operation = operation
      self.file = file
    }

    /// A number without a divisor in common with the count, near the golden section of it.
    private static func stride(_ count: Int) -> Int {
      func divisor(_ left: Int, _ right: Int) -> Int { right == 0 ? left : divisor(right, left % right) }
      var stride = max(1, count * 618 / 1000)
      while divisor(stride, count) > 1 { stride += 1 }
      return stride
    }

    /// All aims of a hazard.
    static func all(_ hazard: Hazard) -> [Aim] {
      func files(_ operations: [String], _ effect: Int?) -> [Aim] {
        operations.enumerated().flatMap { place, operation in
          (operation == "mkdir" ? [.page] : FileKind.allCases).map {
            Aim(hazard, effect: effect, operation: place, file: $0)
          }
        }
      }
      switch hazard {
      case .fault:
        return HazardWriter.effects.enumerated().flatMap { files(HazardWriter.operations(of: $1), $0) }
      case .cutInside: return HazardWriter.cuts.indices.flatMap { files(HazardWriter.cutOperations, $0) }
      case .everyFailure:
        return HazardWriter.errors.indices.flatMap { error in
          HazardWriter.failureOperations.indices.map { Aim(hazard, effect: error, operation: $0) }
        }
      case .unreadable:
        return HazardWriter.reads.indices.flatMap { read in
          [FileKind.page, .manifest].map { Aim(hazard, operation: read, file: $0) }
        }
      case .powerCut, .kill, .everyCrash, .tornRename, .fullDisk, .olderPage: return [Aim(hazard)]
      }
    }
  }

  /// A kind of file that a fault hits.
  enum FileKind: CaseIterable {
    case page, document, manifest, image
  }
}
