/// Every content that a thing had, in order, and how far the store said it is durable.
///
/// A version is what a page or a document holds behind a command that the store accepted. A crash may leave any version
/// from the durable one on; an older one, or one that never was, is a breach of the store's word, and stays one whatever
/// the store does afterwards, unless a repair brings back what was owed.
package struct History<Content: Hashable & Sendable>: Hashable, Sendable {
  /// The content behind one accepted command.
  package struct Version: Hashable, Sendable {
    /// The number of the command; 0 for what was there when recording began.
    package let number: UInt64
    /// The content.
    package let content: Content
    /// True once a crash made the store go on from an older version: this one can no longer come back.
    package fileprivate(set) var isAbandoned = false
  }

  /// What was opened again was not what it had to be.
  package struct Breach: Hashable, Sendable {
    /// What the store had called durable; nil where that was nothing.
    package let owed: Content?
    /// What was there instead.
    package let found: Content
    /// True where it is an older version; false where it never was one.
    package let isOlder: Bool
  }

  /// The versions, oldest first; never empty.
  package private(set) var versions: [Version]
  /// The index of the newest version that the store acknowledged as durable; nil before the first.
  package private(set) var durableIndex: Int?
  /// What was broken so far, in order.
  package private(set) var breaches: [Breach] = []
  /// The index of the version that is in use: the mark that `remember` keeps.
  package private(set) var workingIndex = 0
  /// The oldest version that may be found: the durable one, or what a breach made the store go on from.
  private var floorIndex: Int?
  /// What a command would have made that a crash interrupted: it may be found, and need not.
  private var interrupted: Content?

  /// A thing that command `number` makes, with this content.
  package init(_ content: Content, madeBy number: UInt64, isDurable: Bool) {
    versions = [Version(number: number, content: content)]
    durableIndex = isDurable ? 0 : nil
    floorIndex = durableIndex
  }

  /// What the store shows now.
  package var working: Content { versions[workingIndex].content }

  /// The newest content that the user had made, saved or not.
  package var latest: Content { versions[latestIndex].content }

  /// The newest content that the store acknowledged as durable.
  package var lastDurable: Content? { durableIndex.map { versions[$0].content } }

  /// The content below which nothing may be found now; nil where nothing was ever called durable.
  package var floor: Content? { floorIndex.map { versions[$0].content } }

  /// True where what the store shows was made behind command `number`, and was never called durable.
  package func isUndurable(since number: UInt64) -> Bool {
    versions[workingIndex].number > number && workingIndex > durableIndex ?? -1
  }

  /// The index of the newest version.
  package var latestIndex: Int { versions.count - 1 }

  /// Records the content behind an accepted command.
  package mutating func append(_ content: Content, number: UInt64) {
    versions.append(Version(number: number, content: content))
    workingIndex = latestIndex
  }

  /// Records what a command would have made that was not answered any more.
  package mutating func interrupt(with content: Content) { interrupted = content }

  /// Records that every edit up to command `number` is durable.
  package mutating func acknowledge(upTo number: UInt64) {
    guard let index = versions.lastIndex(where: { $0.number <= number && !$0.isAbandoned }) else { return }
    durableIndex = max(durableIndex ?? 0, index)
    floorIndex = max(floorIndex ?? 0, index)
  }

  /// The newest version that holds exactly this content; nil where there is none.
  ///
  /// - Parameters:
  ///   - lowest: the first version that counts.
  ///   - highest: the last one; nil for the newest.
  package func index(of content: Content, from lowest: Int = 0, through highest: Int? = nil) -> Int? {
    versions.indices.last {
      $0 >= lowest && $0 <= (highest ?? latestIndex) && !versions[$0].isAbandoned && versions[$0].content == content
    }
  }

  /// The version with exactly this content that a crash may have left; nil where there is none.
  ///
  /// - Parameter isRepaired: true behind a repair, which may finish a save that was interrupted long ago: then a version
  ///   that was abandoned may come back, where nothing newer was called durable.
  package func allowedIndex(of content: Content, isRepaired: Bool = false) -> Int? {
    let lowest = floorIndex ?? 0
    if let index = index(of: content, from: lowest) { return index }
    return isRepaired ? versions.indices.last { $0 >= lowest && versions[$0].content == content } : nil
  }

  /// The newest content that fits, of those that a repair may bring back.
  package func newestForRepair(where fits: (Content) -> Bool) -> Content? {
    versions.indices.last { $0 >= floorIndex ?? 0 && fits(versions[$0].content) }.map { versions[$0].content }
  }

  /// True where a crash may have left this content; see `allowedIndex`.
  package func allows(_ content: Content, isRepaired: Bool = false) -> Bool {
    allowedIndex(of: content, isRepaired: isRepaired) != nil || content == interrupted
  }

  /// Goes on from what the store found on the disk when it opened the thing again.
  ///
  /// - Parameters:
  ///   - number: the command that opened it.
  ///   - isDurable: true behind a power cut: what is on the medium then is durable.
  ///   - isRepaired: true behind a repair.
  ///   - isForgiven: true where content that may not be found is no breach all the same.
  package mutating func resume(
    from content: Content, number: UInt64, isDurable: Bool, isRepaired: Bool = false, isForgiven: Bool = false
  ) {
    if breaches.contains(where: { $0.owed == content }) { restore(content) }
    if let found = allowedIndex(of: content, isRepaired: isRepaired) {
      goOn(from: found)
    } else if content == interrupted {
      append(content, number: number)
    } else {
      let older = index(of: content)
      if !isForgiven { breaches.append(Breach(owed: floor, found: content, isOlder: older != nil)) }
      if let older { goOn(from: older) } else { append(content, number: number) }
      floorIndex = workingIndex
    }
    interrupted = nil
    guard isDurable else { return }
    durableIndex = max(durableIndex ?? 0, workingIndex)
    floorIndex = max(floorIndex ?? 0, workingIndex)
  }

  private mutating func goOn(from index: Int) {
    // Ledgers share their versions as long as nothing in them changes.
    for later in versions.indices where later > index && !versions[later].isAbandoned {
      versions[later].isAbandoned = true
    }
    if versions[index].isAbandoned { versions[index].isAbandoned = false }
    workingIndex = index
  }

  /// What was owed is back.
  private mutating func restore(_ content: Content) {
    breaches.removeAll { $0.owed == content }
    guard let index = versions.lastIndex(where: { $0.content == content }) else { return }
    versions[index].isAbandoned = false
  }
}
