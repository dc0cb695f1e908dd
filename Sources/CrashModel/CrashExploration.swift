import Bytes
import FaultDisk
import FileTracing
import Files

/// All the states that a crash may leave of a recording under one model, each once.
package struct CrashExploration: Sendable {
  /// The model.
  package let model: PersistenceModel
  /// The distinct states, in the order in which they become possible.
  package private(set) var states: [CrashState] = []
  /// How many were made before those that are equal were put together.
  package private(set) var madeCount = 0
  /// False where block patterns stand for all combinations of blocks.
  package private(set) var isWholeOverBlocks = true
  /// False where not all combinations of files or names were made.
  package private(set) var isWholeOverFiles = true
  /// A bound of how many choices there are in all, the same tree at another moment counted anew.
  package private(set) var possibleMax = 0.0
  /// True where the limit of states, or who asked for it, ended it.
  package private(set) var wasCut = false
  /// How many moments there are, within the limits, at which something changed or became durable.
  package private(set) var momentCount = 0
  /// Those of them at which a share of what is possible was made, or nothing.
  package private(set) var thinnedMoments: [UInt64] = []
  /// What ended it, or the first try of it, before all was made; nil where nothing did.
  package private(set) var bound: Bound?

  /// What an exploration may have too little of.
  package enum Bound: String, Sendable {
    case states, memory, time
  }

  /// True where the states are spread over the moments, since there are more than the limits allow.
  package var isThinned: Bool { !thinnedMoments.isEmpty }

  /// "131 states, all of them"; what was not made is said.
  package var extent: String {
    let count = "\(states.count) state\(states.count == 1 ? "" : "s")"
    if wasCut { return "\(count), not all: it was ended, at \(Self.text(of: possibleMax)) choices and more to come" }
    if isThinned { return "\(count), not all: they are spread over \(momentCount) moments" }
    if !isWholeOverFiles { return "\(count), pairs of files complete, of at most \(Self.text(of: possibleMax))" }
    return isWholeOverBlocks ? "\(count), all of them" : "\(count), complete over block classes"
  }

  private static func text(of number: Double) -> String {
    if number < 1e6 { return "\(Int(number))" }
    var (value, exponent) = (number, 0)
    while value >= 10 { (value, exponent) = (value / 10, exponent + 1) }
    return "\(Double(Int(value * 10)) / 10)e\(exponent)"
  }

  private let limits: ExplorationLimits
  private var numbers: [Digest128: Int] = [:]
  private var catalogue: ContentCatalogue
  private var shelf = TreeShelf()
  private var combinationsKnown: [[Int]: Combinations] = [:]
  /// About how many bytes the moments of the states take.
  private var momentBytes = 0
  private let mustStop: @Sendable () -> Bool

  /// Explores; `disk` holds the bytes of the recording.
  ///
  /// - Parameter mustStop: asked at every record and state; where it says so, it ends with what it has.
  package init(
    _ recording: Recording, on disk: FaultDisk, _ model: PersistenceModel,
    _ limits: ExplorationLimits = ExplorationLimits(), mustStop: @escaping @Sendable () -> Bool = { false }
  ) throws(HistoryError) {
    try self.init(recording, on: disk, model, limits, countsMoments: true, mustStop: mustStop)
  }

  /// Where it is not to count moments, it ends as soon as it was cut.
  private init(
    _ recording: Recording, on disk: FaultDisk, _ model: PersistenceModel, _ limits: ExplorationLimits,
    countsMoments: Bool, mustStop: @escaping @Sendable () -> Bool
  ) throws(HistoryError) {
    self.model = model
    self.limits = limits
    self.mustStop = mustStop
    catalogue = ContentCatalogue(disk)
    var window = CrashWindow(recording, model, isPowerCut: limits.isPowerCut)
    var previous: UInt64 = 0
    visit(window, at: 0, after: 0)
    for (place, record) in recording.records.enumerated() {
      if record.number > limits.moments.upperBound { break }
      if try window.begin(record) { isOutdated = true }
      visit(window, at: record.number, after: previous)
      previous = record.number
      if window.finish() { isOutdated = true }
      if bound == .time || mustStop() {
        end(with: .time)
        partSeen = Double(place + 1) / Double(recording.records.count)
        break
      }
      if wasCut && !countsMoments { return }
    }
    isOutdated = true
    visit(window, at: UInt64.max, after: previous)
  }

  /// Explores under limits that let it come to the end of the recording.
  ///
  /// Where the limit of states, of memory or of time would end it before, fewer are made at each moment: late moments, at
  /// which the program has promised the most, must not be left out.
  ///
  /// - Parameter timeUsed: how much of the time is over, from 1 on all of it; the first part of it is for a first try.
  package static func toTheEnd(
    _ recording: Recording, on disk: FaultDisk, _ model: PersistenceModel, _ limits: ExplorationLimits,
    timeUsed: @escaping @Sendable () -> Double = { 0 }
  ) throws(HistoryError) -> CrashExploration {
    var limits = limits
    var ends = timesOfTries
    var bound: Bound?
    var momentCount: Int?
    while true {
      let end = ends.first ?? 1
      var found = try CrashExploration(
        recording, on: disk, model, limits, countsMoments: momentCount == nil, mustStop: { timeUsed() >= end })
      if found.lastBound != .time && momentCount == nil { momentCount = found.momentCount }
      bound = bound ?? found.bound
      found.bound = bound
      let each = found.madeCount / max(1, found.momentCount) + 1
      if let momentCount { found.momentCount = momentCount }
      guard found.wasCut, timeUsed() < 1 else { return found }
      let count = found.states.count
      switch found.lastBound {
      case .time where ends.count > 1:
        // The first try was at the beginning, and says nothing of the end; the next has come as far as it has.
        let part = ends.count < timesOfTries.count ? found.partSeen : 1
        ends.removeFirst()
        limits = limits.hurried(
          Int(Double(count) * part) / 2, each: each, momentCount: momentCount ?? recording.records.count + 2)
      case .memory where count > 1:
        limits = limits.hurried(count / 2, each: each, momentCount: momentCount ?? 1)
      default:
        guard found.lastBound == .states, let thinner = limits.thinner(momentCount: momentCount ?? 1) else {
          return found
        }
        limits = thinner
      }
    }
  }

  /// When tries end of which each had too little time.
  private static let timesOfTries = [0.4, 0.7, 1]
  /// How much of the recording was gone through.
  private var partSeen = 0.0
  /// What ended this try.
  private var lastBound: Bound?

  private mutating func end(with bound: Bound) {
    wasCut = true
    self.bound = bound
    lastBound = bound
  }

  /// True where something changed or became durable since the last moment, so that all states have to be made anew.
  private var isOutdated = true
  /// The states of the last moment.
  private var alive: [Int] = []

  /// One moment: all states anew where something is outdated, else those of the last moment; none where it was cut.
  private mutating func visit(_ window: CrashWindow, at moment: UInt64, after previous: UInt64) {
    guard limits.moments.contains(moment) else { return }
    guard isOutdated else {
      for index in alive { states[index].moments.add(moment, after: previous) }
      return
    }
    isOutdated = false
    alive.removeAll(keepingCapacity: true)
    let isLeftOut = momentCount % limits.momentStep > 0 && moment != .max
    momentCount += 1
    if wasCut { return }
    if isLeftOut || !note(window, at: moment, after: previous) { thinnedMoments.append(moment) }
  }

  /// Makes the states of a moment, or its share of them; false where the share, or the memory for one, was not enough.
  private mutating func note(_ window: CrashWindow, at moment: UInt64, after previous: UInt64) -> Bool {
    let share = limits.share ?? .max
    var cuts = Cuts(window, seed: limits.seed &+ moment)
    if !cuts.isWhole { isWholeOverFiles = false }
    var isWhole = cuts.count <= share && (limits.share == nil || cuts.isWhole)
    let end = limits.share.map { madeCount + $0 } ?? .max
    for place in spreadPlaces(of: cuts.count, atMost: share) where !wasCut {
      if madeCount == end { return false }
      if !note(window, cuts.cut(at: place), atMost: end - madeCount, at: moment, after: previous) { isWhole = false }
    }
    return isWhole
  }

  /// Makes the states of one choice of names, no more than `countMax`; false where these are not all.
  private mutating func note(
    _ window: CrashWindow, _ cut: Cut, atMost countMax: Int, at moment: UInt64, after previous: UInt64
  ) -> Bool {
    let reachable = cut.namespace.reachable
    var open: [(inode: UInt64, choices: FileChoices)] = []
    var isBounded = false
    var product = 1.0
    defer { possibleMax += product }
    var known: Set<UInt64> = []
    let inodes = reachable.map(\.inode).filter { inode in
      known.insert(inode).inserted && (window.files[inode]?.lastVersion ?? 0) > 0
    }
    for inode in inodes where !wasCut {
      let choices = FileChoices(window.space(of: inode, in: cut), partsMax: Self.partsMax / inodes.count)
      if !choices.isWhole { isWholeOverBlocks = false }
      if choices.isBounded { isBounded = true }
      product *= choices.count
      open.append((inode, choices))
      if mustStop() { self.end(with: .time) }
    }
    if wasCut { return false }
    let counts = open.map { $0.choices.list.count }
    let combinations = combinations(of: counts, atMost: countMax)
    if !combinations.isWhole { isWholeOverFiles = false }
    let digests = catalogue.digests(of: window, cut, reachable, open)
    for combination in combinations.list {
      add(digests.digest(of: combination), at: moment, after: previous) {
        var choices: [UInt64: FileChoice] = [:]
        for (file, index) in zip(open, combination) { choices[file.inode] = file.choices.list[index] }
        return window.tree(cut, reachable, choices)
      }
      if wasCut { break }
    }
    return !isBounded && !combinations.isBounded && (limits.share == nil || combinations.isWhole)
  }

  /// Choices of one content of each file, of which there are so many; the same again and again, so they are kept.
  private mutating func combinations(of counts: [Int], atMost countMax: Int) -> Combinations {
    if let share = limits.combinationsOfShare {
      return Combinations(counts, min(share, countMax), isStrict: true, seed: limits.seed)
    }
    if let known = combinationsKnown[counts] { return known }
    let made = Combinations(counts, limits.combinationsMax, seed: limits.seed)
    if made.list.count > Self.knownCombinationsMax { return made }
    if combinationsKnown.count == Self.knownListsMax { combinationsKnown.removeAll() }
    combinationsKnown[counts] = made
    return made
  }

  /// So many lists are kept.
  private static let knownListsMax = 16
  /// A list of more than these is not.
  private static let knownCombinationsMax = 8192

  /// The contents of all files at one choice of names have about so many extents and blocks at the most.
  private static let partsMax = 1 << 21
  /// What a range of moments takes.
  private static let bytesOfRange = 32

  /// Notes a state; only of one that is new the tree is made.
  private mutating func add(
    _ digest: Digest128, at moment: UInt64, after previous: UInt64, _ tree: () -> DiskTree
  ) {
    if !states.isEmpty && mustStop() { return end(with: .time) }
    madeCount += 1
    if let index = numbers[digest] {
      if states[index].moments.add(moment, after: previous) { momentBytes += Self.bytesOfRange }
      alive.append(index)
      return
    }
    if states.count >= limits.statesMax { return end(with: .states) }
    if shelf.bytes + momentBytes > limits.memoryMax { return end(with: .memory) }
    var moments = CrashMoments()
    moments.add(moment, after: previous)
    numbers[digest] = states.count
    alive.append(states.count)
    let kept = shelf.keep(tree())
    states.append(CrashState(number: states.count + 1, kept: kept, moments: moments, digest: digest))
  }
}

extension CrashWindow {
  /// What is known of an inode under a cut; the text of a link is with it from the beginning.
  func node(_ inode: UInt64, in cut: Cut) -> Namespace.Node? {
    guard let born = reader.namespace.nodes[inode] else { return cut.namespace.nodes[inode] }
    guard var now = cut.namespace.nodes[inode] else { return born }
    now.text = born.text
    return now
  }

  func content(of inode: UInt64, _ choices: [UInt64: FileChoice]) -> FileContent {
    choices[inode]?.content ?? files[inode]?.base ?? FileContent()
  }

  /// The tree of a choice; only what can be reached from the root is in it.
  func tree(_ cut: Cut, _ reachable: [(path: BytePath, inode: UInt64)], _ choices: [UInt64: FileChoice]) -> DiskTree {
    var nodes: [UInt64: DiskTree.Node] = [:]
    var entries: [UInt64: [BytePath: UInt64]] = [:]
    for (_, inode) in reachable where nodes[inode] == nil {
      guard let node = node(inode, in: cut) else { continue }
      nodes[inode] = DiskTree.Node(
        attributes: node.attributes, text: node.text, content: content(of: inode, choices),
        extendedAttributes: node.extendedAttributes)
      if let names = cut.namespace.entries[inode] { entries[inode] = names }
    }
    return DiskTree(root: cut.namespace.root, nodes: nodes, entries: entries)
  }
}
