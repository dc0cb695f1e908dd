import Bytes
import FaultDisk
import FileTracing
import Files

/// How far an exploration goes.
package struct ExplorationLimits: Hashable, Sendable {
  /// How many distinct states are kept.
  package var statesMax: Int
  /// How many combinations of files are told whole at one cut.
  package var combinationsMax: Int
  /// Decides what is drawn where not all can be told.
  package var seed: UInt64
  /// True for a power cut, false for a crash of the operating system, which leaves the drive its cache.
  package var isPowerCut: Bool

  /// Limits of these values.
  package init(statesMax: Int = 100_000, combinationsMax: Int = 4096, seed: UInt64 = 0, isPowerCut: Bool = true) {
    self.statesMax = statesMax
    self.combinationsMax = combinationsMax
    self.seed = seed
    self.isPowerCut = isPowerCut
  }
}

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

  /// "131 states, all of them"; what was not made is said.
  package var extent: String {
    let count = "\(states.count) state\(states.count == 1 ? "" : "s")"
    if wasCut { return "\(count), not all: it was ended, at \(Self.text(of: possibleMax)) choices and more to come" }
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

  /// Explores; `disk` holds the bytes of the recording.
  ///
  /// - Parameter mustStop: asked at every record; where it says so, the exploration ends with what it has.
  package init(
    _ recording: Recording, on disk: FaultDisk, _ model: PersistenceModel,
    _ limits: ExplorationLimits = ExplorationLimits(), mustStop: () -> Bool = { false }
  ) throws(HistoryError) {
    self.model = model
    self.limits = limits
    catalogue = ContentCatalogue(disk)
    var window = CrashWindow(recording, model, isPowerCut: limits.isPowerCut)
    var previous: UInt64 = 0
    note(window, at: 0, after: 0)
    for record in recording.records where !wasCut {
      let isChanged = try window.begin(record)
      if isChanged || isOutdated {
        note(window, at: record.number, after: previous)
      } else {
        prolong(to: record.number, after: previous)
      }
      previous = record.number
      isOutdated = window.finish()
      if mustStop() { wasCut = true }
    }
    if !wasCut { note(window, at: UInt64.max, after: previous) }
  }

  /// True where something became durable since the last moment, so that all states have to be made anew.
  private var isOutdated = false
  /// The states of the last moment.
  private var alive: [Int] = []

  /// The states of the last moment are possible at this one too.
  private mutating func prolong(to moment: UInt64, after previous: UInt64) {
    for index in alive { states[index].moments.add(moment, after: previous) }
  }

  private mutating func note(_ window: CrashWindow, at moment: UInt64, after previous: UInt64) {
    alive.removeAll(keepingCapacity: true)
    var cuts = Cuts(window, seed: limits.seed &+ moment)
    if !cuts.isWhole { isWholeOverFiles = false }
    for place in 0..<cuts.count {
      note(window, cuts.cut(at: place), at: moment, after: previous)
      if wasCut { return }
    }
  }

  private mutating func note(_ window: CrashWindow, _ cut: Cut, at moment: UInt64, after previous: UInt64) {
    let reachable = cut.namespace.reachable
    var open: [(inode: UInt64, choices: FileChoices)] = []
    var known: Set<UInt64> = []
    var product = 1.0
    defer { possibleMax += product }
    for (_, inode) in reachable where known.insert(inode).inserted {
      guard let file = window.files[inode], file.lastVersion > 0 else { continue }
      let choices = FileChoices(window.space(of: inode, in: cut))
      if !choices.isWhole { isWholeOverBlocks = false }
      product *= choices.count
      open.append((inode, choices))
    }
    let combinations = Combinations(open.map { $0.choices.list.count }, limits.combinationsMax, seed: limits.seed)
    if !combinations.isWhole { isWholeOverFiles = false }
    for combination in combinations.list {
      var choices: [UInt64: FileChoice] = [:]
      for (file, index) in zip(open, combination) { choices[file.inode] = file.choices.list[index] }
      add(window, cut, reachable, choices, at: moment, after: previous)
      if wasCut { return }
    }
  }

  private mutating func add(
    _ window: CrashWindow, _ cut: Cut, _ reachable: [(path: BytePath, inode: UInt64)],
    _ choices: [UInt64: FileChoice], at moment: UInt64, after previous: UInt64
  ) {
    madeCount += 1
    let digest = catalogue.digest(of: window, cut, reachable, choices)
    if let index = numbers[digest] {
      states[index].moments.add(moment, after: previous)
      alive.append(index)
      return
    }
    if states.count >= limits.statesMax {
      wasCut = true
      return
    }
    var moments = CrashMoments()
    moments.add(moment, after: previous)
    numbers[digest] = states.count
    alive.append(states.count)
    let tree = window.tree(cut, reachable, choices)
    states.append(
      CrashState(number: states.count + 1, tree: tree, moments: moments, digest: digest))
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
