/// Every content that a thing had, in order, and how far the store said it is durable.
///
/// A version is what a page or a document holds behind a command that the store accepted. A crash may leave any version
/// from the durable one on; an older one, or one that never was, convicts the store.
package struct History<Content: Hashable & Sendable>: Sendable {
  /// The content behind one accepted command.
  package struct Version: Sendable {
    /// The number of the command; 0 for what was there when recording began.
    package let number: UInt64
    /// The content.
    package let content: Content
    /// True once a crash made the store go on from an older version: this one can no longer come back.
    package fileprivate(set) var isAbandoned = false
  }

  /// The versions, oldest first; never empty.
  package private(set) var versions: [Version]
  /// The index of the newest version that the store acknowledged as durable; nil before the first.
  package private(set) var durableIndex: Int?
  private var workingIndex = 0

  /// A thing that command `number` makes, with this content.
  package init(_ content: Content, madeBy number: UInt64, isDurable: Bool) {
    versions = [Version(number: number, content: content)]
    durableIndex = isDurable ? 0 : nil
  }

  /// What the store shows now.
  package var working: Content { versions[workingIndex].content }

  /// The newest content that the user had made, saved or not.
  package var latest: Content { versions[latestIndex].content }

  /// The newest content that the store acknowledged as durable.
  package var lastDurable: Content? { durableIndex.map { versions[$0].content } }

  /// The index of the newest version: the mark that `remember` keeps.
  package var latestIndex: Int { versions.count - 1 }

  /// Records the content behind an accepted command.
  package mutating func append(_ content: Content, number: UInt64) {
    versions.append(Version(number: number, content: content))
    workingIndex = latestIndex
  }

  /// Records that every edit up to command `number` is durable.
  package mutating func acknowledge(upTo number: UInt64) {
    guard let index = versions.lastIndex(where: { $0.number <= number && !$0.isAbandoned }) else { return }
    durableIndex = max(durableIndex ?? 0, index)
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

  /// Goes on from what the store found on the disk when it opened the thing again.
  ///
  /// - Parameter isDurable: true behind a power cut: what is on the medium then is durable.
  /// - Returns: false where the content is no version at all; it then becomes one, made by `number`.
  package mutating func resume(from content: Content, number: UInt64, isDurable: Bool) -> Bool {
    guard let found = index(of: content) else {
      append(content, number: number)
      if isDurable { durableIndex = workingIndex }
      return false
    }
    for later in versions.indices where later > found { versions[later].isAbandoned = true }
    workingIndex = found
    if isDurable { durableIndex = max(durableIndex ?? 0, found) }
    return true
  }
}
