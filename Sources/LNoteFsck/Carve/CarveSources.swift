import Files

/// The files that are searched for lost pages: the image of a disk, a disk itself, files without names.
///
/// They are only read, one is open at a time, and no link is followed.
package final class CarveSources {
  struct File {
    let volume: any Volume
    let path: BytePath
    let shown: String
    var size: UInt64
  }

  private(set) var files: [File] = []
  /// What could not be read, in words.
  private(set) var failures: [String] = []
  /// Bytes that could not be read; zeros were taken in their place.
  private(set) var bytesUnread: UInt64 = 0
  private var open: (index: Int, file: OpenFile)?

  /// How many files are looked at.
  static let filesMax = 1_000_000
  /// What is read anew where a larger piece cannot be, in bytes.
  static let pieceBytes = 4096
  /// How many failures are told one by one.
  static let failuresMax = 20

  /// No files yet.
  package init() {}

  deinit { close() }

  /// How many bytes there are in all.
  package var size: UInt64 { files.reduce(0) { $0 + $1.size } }

  /// Adds the file or the disk at a path.
  package func add(_ path: BytePath, in volume: any Volume, shown: String) {
    do throws(FileCallError) {
      let status = try volume.status(at: path)
      guard status.kind == .regular || status.kind == .blockDevice else { return }
      var file = File(volume: volume, path: path, shown: shown, size: status.size)
      if status.kind == .blockDevice {
        let opened = try volume.open(path, for: .reading)
        defer { try? volume.close(opened) }
        file.size = try CarveSources.size(of: opened, in: volume)
      }
      if file.size > 0 { files.append(file) }
    } catch {
      fail(shown, error)
    }
  }

  /// Adds every file below a folder, in the order of their paths.
  package func addFolder(_ folder: BytePath, in volume: any Volume, shown: String, depth: Int = 0) {
    do throws(FileCallError) {
      for entry in try volume.entries(of: folder, countMax: SurveyLimits.namesMax) {
        let path = folder.appending(entry.name)
        let name = "\(shown)/\(entry.name)"
        switch try volume.status(at: path).kind {
        case .directory where depth < SurveyLimits.depthMax: addFolder(path, in: volume, shown: name, depth: depth + 1)
        case .regular where files.count < CarveSources.filesMax: add(path, in: volume, shown: name)
        case .directory, .regular: failures.append("\(name) lies too deep, or is one file too many: not searched.")
        default: break
        }
      }
    } catch {
      fail(shown, error)
    }
  }

  /// Up to `count` bytes of a file; fewer only at its end. What cannot be read is zeros, and is told.
  func read(_ index: Int, at offset: UInt64, count: Int) -> [UInt8] {
    let file = files[index]
    let count = Int(min(UInt64(count), file.size - min(offset, file.size)))
    guard count > 0 else { return [] }
    guard let opened = opened(index) else {
      bytesUnread += UInt64(count)
      return [UInt8](repeating: 0, count: count)
    }
    var bytes = [UInt8](repeating: 0, count: count)
    bytes.withUnsafeMutableBytes { buffer in
      var done = 0
      var piece = count
      while done < count {
        let part = UnsafeMutableRawBufferPointer(rebasing: buffer[done..<min(count, done + piece)])
        do throws(FileCallError) {
          let taken = try file.volume.read(opened, at: offset + UInt64(done), into: part)
          if taken == 0 { return }
          done += taken
        } catch {
          if part.count > CarveSources.pieceBytes {
            piece = CarveSources.pieceBytes
            continue
          }
          if bytesUnread == 0 { fail("\(file.shown) at byte \(offset + UInt64(done))", error) }
          bytesUnread += UInt64(part.count)
          done += part.count
        }
      }
    }
    return bytes
  }

  func close() {
    if let open { try? files[open.index].volume.close(open.file) }
    open = nil
  }

  private func opened(_ index: Int) -> OpenFile? {
    if let open, open.index == index { return open.file }
    close()
    do throws(FileCallError) {
      let file = try files[index].volume.open(files[index].path, for: .reading)
      open = (index, file)
      return file
    } catch {
      fail(files[index].shown, error)
      return nil
    }
  }

  private func fail(_ what: String, _ error: FileCallError) {
    if failures.count < CarveSources.failuresMax {
      failures.append("\(what): \(Sentences.reason(FileCallFailure(error))).")
    }
  }

  /// The size of a disk, whose status does not tell it: the first byte that is not there.
  private static func size(of file: OpenFile, in volume: any Volume) throws(FileCallError) -> UInt64 {
    let byte = UnsafeMutableRawBufferPointer.allocate(byteCount: 1, alignment: 1)
    defer { byte.deallocate() }
    var (there, gone): (UInt64, UInt64) = (0, 1 << 62)
    while there < gone {
      let middle = there + (gone - there) / 2
      let isThere = ((try? volume.read(file, at: middle, into: byte)) ?? 0) > 0
      if isThere { there = middle + 1 } else { gone = middle }
    }
    return there
  }
}
