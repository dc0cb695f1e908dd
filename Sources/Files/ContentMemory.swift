import Synchronization

/// What was made of the bytes of files, kept under the names of the bytes, and within a bound.
///
/// An answer is a value that depends on nothing but the bytes and the question. Half of the bound is what was used since
/// the last time that a half was full; what was not used in the meantime goes then.
package final class ContentMemory<Question: Hashable & Sendable, Answer: Sendable>: Sendable {
  private struct Key: Hashable, Sendable {
    let content: ContentName
    let question: Question
  }

  private struct Kept: Sendable {
    let answer: Answer
    let bytes: Int
  }

  private struct Halves: Sendable {
    var young: [Key: Kept] = [:]
    var old: [Key: Kept] = [:]
    var youngBytes = 0
    var oldBytes = 0
  }

  private let bytesMax: Int
  private let halves = Mutex(Halves())

  /// A memory of answers that take this many bytes together.
  package init(bytesMax: Int) { self.bytesMax = bytesMax }

  /// The answer that was kept; nil where there is none.
  package func answer(to question: Question, about content: ContentName) -> Answer? {
    let key = Key(content: content, question: question)
    return halves.withLock { halves in
      if let kept = halves.young[key] { return kept.answer }
      guard let kept = halves.old.removeValue(forKey: key) else { return nil }
      halves.oldBytes -= kept.bytes
      keep(kept, key, in: &halves)
      return kept.answer
    }
  }

  /// Keeps an answer of about so many bytes; one that takes half of the bound alone is let go.
  package func keep(_ answer: Answer, bytes: Int, to question: Question, about content: ContentName) {
    let kept = Kept(answer: answer, bytes: bytes + ContentMemory.entryBytes)
    if kept.bytes > bytesMax / 2 { return }
    halves.withLock { keep(kept, Key(content: content, question: question), in: &$0) }
  }

  /// How many bytes the answers take, about.
  package var bytesKept: Int { halves.withLock { $0.youngBytes + $0.oldBytes } }

  /// What an entry costs beside its answer, in bytes.
  private static var entryBytes: Int { 128 }

  private func keep(_ kept: Kept, _ key: Key, in halves: inout Halves) {
    if halves.youngBytes + kept.bytes > bytesMax / 2 {
      (halves.old, halves.oldBytes) = (halves.young, halves.youngBytes)
      (halves.young, halves.youngBytes) = ([:], 0)
    }
    if let before = halves.young.updateValue(kept, forKey: key) { halves.youngBytes -= before.bytes }
    halves.youngBytes += kept.bytes
  }
}

/// The question where there is only one.
package struct OnlyQuestion: Hashable, Sendable {
  /// The one.
  package init() {}
}

extension Volume {
  /// Reads a whole regular file and makes a value of it.
  ///
  /// The value comes from memory where the same bytes were read before.
  ///
  /// - Parameters:
  ///   - sizeMax: the same for everything that is kept in this memory.
  ///   - make: depends on nothing but the bytes and the question.
  /// - Throws: as `readWhole`.
  package func readWhole<Question, Answer>(
    _ path: BytePath, sizeMax: Int, _ question: Question, from memory: ContentMemory<Question, Answer>?,
    _ make: ([UInt8]) -> Answer
  ) throws(FileCallError) -> Answer {
    guard let memory else { return make(try readWhole(path, sizeMax: sizeMax)) }
    if let named = named(at: path), let known = memory.answer(to: question, about: named.name) { return known }
    return try reading(path) { file throws(FileCallError) in
      let name = contentName(of: file)
      let bytes = try readWhole(file, at: path, sizeMax: sizeMax)
      let answer = make(bytes)
      // A file that changed meanwhile has another name.
      if let name, contentName(of: file) == name { memory.keep(answer, bytes: bytes.count, to: question, about: name) }
      return answer
    }
  }
}
