import Bytes
import Files
import LNoteFormat

/// Reads the files of one package, each once, into one buffer that is used again.
///
/// Nothing but a regular file is ever opened, no link is followed, and nothing is written. One file is open at a time.
final class SurveyReader {
  let volume: any Volume
  let package: BytePath
  /// Gets the number of bytes read, for whoever shows the progress.
  let progress: (Int) -> Void
  private(set) var bytesRead: UInt64 = 0
  private var buffer = UnsafeMutableRawBufferPointer(start: nil, count: 0)

  init(volume: any Volume, package: BytePath, progress: @escaping (Int) -> Void) {
    self.volume = volume
    self.package = package
    self.progress = progress
  }

  deinit { buffer.deallocate() }

  /// The file's status; what it is not allowed to be, as an obstacle. `kind` is what belongs there.
  func look(at path: BytePath, expecting kind: FileKind = .regular) -> FileFacts? {
    do throws(FileCallError) {
      let status = try volume.status(at: package.appending(path))
      if status.kind == kind { return FileFacts(path: path, status: status) }
      let obstacle: FileObstacle =
        status.kind == .symbolicLink ? .symbolicLink : .unexpectedType(status.kind)
      return FileFacts(path: path, status: status, obstacle: obstacle)
    } catch {
      if error.errno.name == "ENOENT" { return nil }
      return FileFacts(path: path, status: nil, obstacle: .unreadable(FileCallFailure(error)))
    }
  }

  /// Reads a regular file whole and hands its bytes to `body`; nil in place of its answer where that cannot be.
  ///
  /// What `body` makes of the same bytes is taken from memory where it is there.
  ///
  /// - Parameter kind: what the folder's list says that it is.
  func whole<Question: Hashable, T: Keepable>(
    _ path: BytePath, listed kind: FileKind = .unknown, bytesMax: UInt64, _ question: Question,
    from memory: ContentMemory<Question, T>?, _ body: (UnsafeRawBufferPointer) -> T
  ) -> (file: FileFacts, answer: T?)? {
    reading(path, listed: kind, bytesMax: bytesMax, question, from: memory) { (file, status) throws(FileCallError) in
      // One byte more than there should be, so that a file that grew is seen.
      let room = Int(status.size) + 1
      grow(to: room)
      var count = 0
      while count < room {
        let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count..<room])
        let taken = try volume.read(file, at: UInt64(count), into: rest)
        if taken == 0 { break }
        count += taken
        account(taken)
      }
      return (UInt64(count), body(UnsafeRawBufferPointer(rebasing: buffer[..<count])))
    }
  }

  /// The same where there is only one question.
  func whole<T: Keepable>(
    _ path: BytePath, listed kind: FileKind = .unknown, bytesMax: UInt64, from memory: ContentMemory<OnlyQuestion, T>?,
    _ body: (UnsafeRawBufferPointer) -> T
  ) -> (file: FileFacts, answer: T?)? {
    whole(path, listed: kind, bytesMax: bytesMax, OnlyQuestion(), from: memory, body)
  }

  /// Reads the first bytes of a regular file, no more than `count`.
  func head(
    of path: BytePath, listed kind: FileKind = .unknown, count: Int, bytesMax: UInt64
  ) -> (file: FileFacts, answer: [UInt8]?)? {
    let nothing: ContentMemory<OnlyQuestion, [UInt8]>? = nil
    return reading(path, listed: kind, bytesMax: bytesMax, OnlyQuestion(), from: nothing) {
      (file, status) throws(FileCallError) in
      grow(to: count)
      var taken = 0
      while taken < count {
        let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[taken..<count])
        let more = try volume.read(file, at: UInt64(taken), into: rest)
        if more == 0 { break }
        taken += more
      }
      account(taken)
      // The rest is not asked for, so that it cannot be missed.
      return (status.size, Array(buffer[..<taken]))
    }
  }

  /// The bytes of a regular file; nil where they cannot be read.
  func bytes(of path: BytePath, bytesMax: UInt64) -> [UInt8]? {
    let nothing: ContentMemory<OnlyQuestion, [UInt8]>? = nil
    return whole(path, bytesMax: bytesMax, from: nothing) { Array($0) }?.answer
  }

  /// Reads a regular file piece by piece; the answer is its length and digest.
  func digest(
    _ path: BytePath, bytesMax: UInt64, from memory: ContentMemory<OnlyQuestion, AssetContent>?
  ) -> (file: FileFacts, answer: AssetContent?)? {
    reading(path, bytesMax: bytesMax, OnlyQuestion(), from: memory) { (file, status) throws(FileCallError) in
      grow(to: SurveyLimits.pieceBytes)
      let stream = XXH3Stream()
      var count: UInt64 = 0
      while true {
        let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[..<SurveyLimits.pieceBytes])
        let taken = try volume.read(file, at: count, into: piece)
        if taken == 0 { break }
        stream.update(UnsafeRawBufferPointer(rebasing: piece[..<taken]))
        count += UInt64(taken)
        account(taken)
        if count > bytesMax { break }
      }
      let digest = stream.digest128
      return (
        count,
        AssetContent(
          length: count, digest: AssetDigest(high: digest.high, low: digest.low), isCut: false, hasZeros: false)
      )
    }
  }

  /// Opens, reads with `read`, and looks whether the file stayed the same; three times at the most.
  ///
  /// What is listed as a regular file is opened without a look before: one that took its place since is seen by its
  /// status, and opening waits for nothing.
  private func reading<Question: Hashable, T: Keepable>(
    _ path: BytePath, listed kind: FileKind = .unknown, bytesMax: UInt64, _ question: Question,
    from memory: ContentMemory<Question, T>?,
    _ read: (OpenFile, FileStatus) throws(FileCallError) -> (count: UInt64, answer: T)
  ) -> (file: FileFacts, answer: T?)? {
    if let known = remembered(path, bytesMax: bytesMax, question, from: memory) { return known }
    var status: FileStatus?
    if kind != .regular {
      guard let first = look(at: path) else { return nil }
      if first.obstacle != nil { return (first, nil) }
      status = first.status
    }
    for _ in 0..<SurveyLimits.readingsMax {
      do throws(FileCallError) {
        let file = try volume.open(package.appending(path), for: .reading)
        defer { try? volume.close(file) }
        let before = try volume.status(of: file)
        status = before
        guard before.kind == .regular else { return look(at: path).map { ($0, nil) } }
        if before.size > bytesMax {
          return (FileFacts(path: path, status: before, obstacle: .tooLarge(limit: bytesMax)), nil)
        }
        let name = memory == nil ? nil : volume.contentName(of: file)
        let (count, answer) = try read(file, before)
        if let name, volume.contentName(of: file) == name {
          memory?.keep(answer, bytes: answer.bytesToKeep(fileBytes: Int(count)), to: question, about: name)
        }
        let after = try volume.status(of: file)
        if count == before.size && after.isSameContent(as: before) {
          return (FileFacts(path: path, status: before), answer)
        }
      } catch {
        // Replaced or removed between the listing and the opening: look again.
        if ["ENOENT", "ELOOP", "ENXIO"].contains(error.errno.name) {
          guard let again = look(at: path) else { return nil }
          if again.obstacle != nil { return (again, nil) }
          continue
        }
        if status == nil { status = look(at: path)?.status }
        return (FileFacts(path: path, status: status, obstacle: .unreadable(FileCallFailure(error))), nil)
      }
    }
    return (FileFacts(path: path, status: status, obstacle: .changing), nil)
  }

  /// What was made of the file's bytes before; nil where nothing is remembered of them.
  private func remembered<Question: Hashable, T: Keepable>(
    _ path: BytePath, bytesMax: UInt64, _ question: Question, from memory: ContentMemory<Question, T>?
  ) -> (file: FileFacts, answer: T?)? {
    guard let memory, let named = volume.named(at: package.appending(path)), named.status.kind == .regular,
      named.status.size <= bytesMax, let known = memory.answer(to: question, about: named.name)
    else { return nil }
    account(Int(named.status.size))
    return (FileFacts(path: path, status: named.status), known)
  }

  /// A buffer of at least so many bytes; there is none before something is read.
  private func grow(to count: Int) {
    if count <= buffer.count { return }
    buffer.deallocate()
    buffer = .allocate(byteCount: max(count + count / 4, SurveyLimits.pieceBytes), alignment: 16)
  }

  private func account(_ count: Int) {
    bytesRead += UInt64(count)
    progress(count)
  }
}

extension FileStatus {
  /// True where nothing tells that the content changed between the two looks.
  func isSameContent(as other: FileStatus) -> Bool {
    inode == other.inode && device == other.device && size == other.size && modified == other.modified
      && changed == other.changed
  }
}
