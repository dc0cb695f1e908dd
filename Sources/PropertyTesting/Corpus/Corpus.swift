/// Where failing cases are kept: a folder, as far as a corpus needs one.
package protocol CorpusFolder {
  /// What may go wrong in it.
  associatedtype Failure: Error
  /// The names in it, in any order.
  func names() throws(Failure) -> [String]
  /// A file's bytes; fails for more than that many.
  func read(_ name: String, bytesMax: Int) throws(Failure) -> [UInt8]
  /// Writes a new file, and has it endure a crash; replaces one of that name.
  func write(_ name: String, _ bytes: [UInt8]) throws(Failure)
  /// Gives a file another name, in one step, and replaces what has it.
  func rename(_ name: String, to other: String) throws(Failure)
}

/// Failing cases of earlier searches, one file each, found by the test's name and the bucket alone.
///
/// Nothing of how a test is written is part of the name: whoever changes a test to look at a failure keeps the failure.
package struct Corpus<Folder: CorpusFolder> {
  private let folder: Folder

  /// The corpus of this folder.
  package init(_ folder: Folder) { self.folder = folder }

  /// What a folder holds.
  package struct Contents: Sendable {
    /// The entries, the fewest choices first.
    package let entries: [CorpusEntry]
    /// Files that could not be read, each with the reason; the others are entries all the same.
    package let damaged: [Damaged]
  }

  /// A file that could not be read.
  package struct Damaged: Hashable, Sendable, CustomStringConvertible {
    /// Its name.
    package let name: String
    /// What is wrong with it.
    package let reason: String
    /// The sentence.
    package var description: String { "\(name): \(reason)" }
  }

  /// Keeps a case; one of the same values is there once.
  package func keep(_ entry: CorpusEntry) throws(Folder.Failure) {
    let temporary = ".\(entry.fileName).tmp"
    try folder.write(temporary, entry.bytes)
    try folder.rename(temporary, to: entry.fileName)
  }

  /// Everything that is kept of this test.
  package func contents(of test: String) throws(Folder.Failure) -> Contents {
    var entries: [CorpusEntry] = []
    var damaged: [Damaged] = []
    for name in try folder.names().sorted() where name.hasSuffix(".case") {
      switch entry(name) {
      case .success(let entry): if entry.test == test { entries.append(entry) }
      case .failure(let reason): damaged.append(Damaged(name: name, reason: reason.text))
      }
    }
    // Names are sorted, so that entries of the same length have an order too.
    let order = entries.indices.sorted { (entries[$0].values.count, $0) < (entries[$1].values.count, $1) }
    return Contents(entries: order.map { entries[$0] }, damaged: damaged)
  }

  private struct Reason: Error { let text: String }

  private func entry(_ name: String) -> Result<CorpusEntry, Reason> {
    let bytes: [UInt8]
    do { bytes = try folder.read(name, bytesMax: CorpusEntry.bytesMax) } catch {
      return .failure(Reason(text: "\(error)"))
    }
    do { return .success(try CorpusEntry(bytes)) } catch { return .failure(Reason(text: error.description)) }
  }
}
