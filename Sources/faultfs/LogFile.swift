import FileTracing
import Files
import Terminal

/// A log file of the host, read from its beginning in pieces, whatever its size.
struct LogFile {
  private static let pieceBytes = 1 << 20

  private let volume: HostVolume
  private let file: OpenFile
  private let name: String
  private var reader = OperationLogReader()
  private var size: UInt64 = 0
  private var isAtEnd = false
  /// What is wrong with the file, where the reading ended before its end.
  private(set) var damage: String?

  /// Opens a log and reads its header.
  ///
  /// - Throws: what cannot be read, or is no log that this program knows.
  init(_ path: BytePath) throws(Refusal) {
    name = printable(path.bytes)
    do throws(FileCallError) {
      let absolute = try Host.absolutePath(of: path)
      volume = try HostVolume(root: absolute.folderOnHost)
      file = try volume.open(absolute.name, for: .reading)
    } catch {
      throw Refusal(ExitCode.usage, "\(path): \(error.errno)")
    }
    while reader.header == nil {
      do throws(OperationLogError) {
        _ = try reader.readHeader()
      } catch {
        throw Refusal(ExitCode.usage, "\(path): \(error.reason)")
      }
      if reader.header == nil, try !fill() {
        throw Refusal(ExitCode.usage, size == 0 ? "\(path): the file is empty" : "\(path): the header is cut off")
      }
    }
  }

  /// What the file tells of itself.
  var header: OperationLogHeader { reader.header ?? OperationLogHeader() }

  /// The next record; nil at the end, or where the file is damaged: then `damage` says where.
  mutating func next() throws(Refusal) -> LoggedOperation? {
    while damage == nil {
      do throws(OperationLogError) {
        if let operation = try reader.next() { return operation }
      } catch {
        damage = "\(name): damaged at byte \(error.offset): \(error.reason); what comes behind is not read"
        return nil
      }
      if try fill() { continue }
      if reader.pendingCount > 0 {
        damage = "\(name): cut off at byte \(reader.offset), inside a record; \(reader.pendingCount) bytes are not read"
      }
      return nil
    }
    return nil
  }

  /// Ends the reading.
  func close() { try? volume.close(file) }

  /// Reads the next piece; false at the end.
  private mutating func fill() throws(Refusal) -> Bool {
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: LogFile.pieceBytes, alignment: 16)
    defer { piece.deallocate() }
    let count: Int
    do throws(FileCallError) {
      count = try volume.read(file, at: size, into: piece)
    } catch {
      throw Refusal(ExitCode.usage, "\(name): \(error.errno)")
    }
    size += UInt64(count)
    reader.append(UnsafeRawBufferPointer(rebasing: piece[..<count]))
    return count > 0
  }
}
