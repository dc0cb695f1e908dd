import FaultDisk

/// One content that a crash may leave of a file.
struct FileChoice: Hashable, Sendable {
  var content: FileContent
  /// The version that the size belongs to.
  var size: SizePick
  /// The version of each block that was changed, below the size.
  var versions: [UInt64: Int]
  /// The blocks that are torn: their version is the older of the two.
  var torn: Set<UInt64> = []
}

/// Contents that stand for all that a space allows, the newest first.
struct FileChoices: Sendable {
  /// A size whose blocks allow this many contents is told whole.
  static let wholeMax = 64
  /// So many sizes within one write stand for all.
  private static let sizesWithinMax = 3
  /// So many contents of a size there may be where patterns stand for all.
  private static let patternsMax = 32
  /// So many versions in between stand for all.
  private static let versionsBetweenMax = 16

  private(set) var list: [FileChoice] = []
  /// False where patterns of blocks stand for all their combinations.
  private(set) var isWhole = true
  /// True where not even each size is there, since that would be too much to hold.
  private(set) var isBounded = false
  /// How many contents the space allows, as far as a number of this kind can tell.
  private(set) var count = 0.0

  /// Contents for a space, with no more than about so many extents and blocks together.
  init(_ space: FileSpace, partsMax: Int = .max) {
    let changed = space.changedBlocks
    var seen: Set<FileContent> = []
    let sizes = representativeSizes(of: space)
    let partsOfContent = space.window.current.extents.extents.count + changed.count + 4
    let sizesMax = max(2, partsMax / Self.patternsMax / partsOfContent)
    isBounded = sizes.count > sizesMax
    for place in spreadPlaces(of: sizes.count, atMost: sizesMax).sorted().reversed() {
      let pick = sizes[place]
      let blocks = changed.prefix { $0 * FileWindow.blockBytes < pick.size }
      let options = blocks.map { (block: $0, versions: space.versions(of: $0, at: pick)) }
      let product = options.reduce(1.0) { $0 * Double($1.versions.count) }
      count += product
      let picked = product <= Double(Self.wholeMax) ? Self.all(of: options) : patterns(of: options)
      for versions in picked {
        let content = Self.content(of: space.window, pick, options.map(\.block), versions)
        if seen.insert(content).inserted {
          list.append(
            FileChoice(
              content: content, size: pick, versions: Dictionary(uniqueKeysWithValues: zip(blocks, versions))))
        }
      }
      addTears(of: space, pick, options, &seen)
    }
  }

  /// Each block torn in each way, with the other blocks at their newest and at their oldest.
  private mutating func addTears(
    of space: FileSpace, _ pick: SizePick, _ options: Options, _ seen: inout Set<FileContent>
  ) {
    let tears = options.map { space.tears(of: $0.block, at: pick) }
    if !tears.contains(where: { !$0.isEmpty }) { return }
    let newest = options.map { $0.versions[$0.versions.count - 1] }
    let oldest = options.map { $0.versions[0] }
    if options.count(where: { $0.versions.count > 1 }) > 1 { isWhole = false }
    let product = zip(options, tears).reduce(1.0) { $0 * Double($1.0.versions.count + $1.1.count) }
    count += product - options.reduce(1.0) { $0 * Double($1.versions.count) }
    for tear in tears.joined() {
      for others in [newest, oldest] {
        var content = Self.content(of: space.window, pick, options.map(\.block), others)
        tear.apply(to: &content, space.window)
        guard seen.insert(content).inserted else { continue }
        var versions = Dictionary(uniqueKeysWithValues: zip(options.map(\.block), others))
        versions[tear.block] = min(tear.head, tear.tail)
        list.append(FileChoice(content: content, size: pick, versions: versions, torn: [tear.block]))
      }
    }
  }

  private typealias Options = [(block: UInt64, versions: [Int])]

  private mutating func representativeSizes(of space: FileSpace) -> [SizePick] {
    var result: [SizePick] = []
    for run in space.sizes {
      let count = run.count
      if count <= Self.sizesWithinMax + 1 {
        result += (0..<count).map { run[$0] }
      } else {
        isWhole = false
        result += [run[0], run[count / 2 - 1], run[count - 2], run[count - 1]]
      }
    }
    return result
  }

  /// Every combination, the newest first.
  private static func all(of options: Options) -> [[Int]] {
    options.reduce([[]]) { combinations, option in
      combinations.flatMap { head in option.versions.reversed().map { head + [$0] } }
    }
  }

  /// Beginnings, single holes, single blocks, and the file at every version in between.
  private mutating func patterns(of options: Options) -> [[Int]] {
    isWhole = false
    let newest = options.map { $0.versions[$0.versions.count - 1] }
    let oldest = options.map { $0.versions[0] }
    let open = options.indices.filter { options[$0].versions.count > 1 }
    let (first, middle, last) = (open[0], open[open.count / 2], open[open.count - 1])
    func mixed(_ isNew: (Int) -> Bool) -> [Int] { options.indices.map { isNew($0) ? newest[$0] : oldest[$0] } }
    var patterns = [
      newest, oldest, mixed { $0 <= first }, mixed { $0 < middle }, mixed { $0 != last }, mixed { $0 != first },
      mixed { $0 != middle }, mixed { $0 == last }, mixed { $0 == middle },
    ]
    let known = Set(options.flatMap(\.versions)).sorted()
    let step = max(1, known.count / Self.versionsBetweenMax)
    for index in stride(from: 0, to: known.count, by: step) {
      patterns.append(options.map { option in option.versions.last { $0 <= known[index] } ?? option.versions[0] })
    }
    return patterns
  }

  static func content(
    of window: FileWindow, _ pick: SizePick, _ blocks: [UInt64], _ versions: [Int]
  ) -> FileContent {
    var content = window.content(of: pick.version)
    content.resize(to: pick.size)
    // Blocks of one version that follow each other are taken in one go.
    var start = 0
    while start < blocks.count {
      var end = start + 1
      while end < blocks.count, blocks[end] == blocks[end - 1] + 1, versions[end] == versions[start] { end += 1 }
      if versions[start] != pick.version {
        let other = window.content(of: versions[start])
        let low = blocks[start] * FileWindow.blockBytes
        let high = min((blocks[end - 1] + 1) * FileWindow.blockBytes, pick.size)
        content.extents.take(from: other.extents, low, high)
      }
      start = end
    }
    return content
  }
}
