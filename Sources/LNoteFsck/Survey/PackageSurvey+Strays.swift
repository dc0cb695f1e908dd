import Files
import LNoteFormat

/// The first bytes of an AppleDouble file (RFC 1740).
private let appleDoubleMagic: [UInt8] = [0x00, 0x05, 0x16, 0x07]

/// Files that have no name of the package's own.
extension PackageSurvey {
  /// Reads a file that has no name of the package's own.
  mutating func surveyStray(_ name: BytePath, in directory: BytePath, folder: PackageFolder) {
    let path = directory.appending(name)
    switch PackageName.read(name.bytes, in: folder) {
    case .document, .manifest, .folder: return
    case .foreign(let kind): surveyForeign(path, kind)
    case .placeholder(let target):
      let target = directory.appending(BytePath(bytes: target))
      // Beside the file itself the mark says nothing.
      if reader.look(at: target) == nil { facts.absent.append(target) } else { surveyForeign(path, nil) }
    case .temporary(let temporary):
      var target: BytePath?
      if case .ours(let name, _) = temporary { target = directory.appending(BytePath(bytes: name)) }
      readStray(path, name: .temporary(target: target), folder: folder)
    default:
      if let file = reader.look(at: path), file.status?.kind == .directory {
        var other = StrayFacts(file: FileFacts(path: path, status: file.status), name: .unknown, content: .nothing)
        let name = OtherName.read(path)
        if case .variant(let target, _) = name, PackagePaths.directories.contains(target) { other.name = name }
        facts.strays.append(other)
      } else {
        readStray(path, name: otherName(path), folder: folder)
      }
    }
  }

  /// What the name was meant to be; a second copy is compared with its original, where both are read.
  private func otherName(_ path: BytePath) -> StrayFacts.Name {
    let name = OtherName.read(path)
    if case .variant(let target, _) = name { return PackagePaths.directories.contains(target) ? .unknown : name }
    guard case .copy(let target, _) = name else { return name }
    if facts.level == .quick { return .unknown }
    guard let file = reader.look(at: path), let original = reader.look(at: target), file.obstacle == nil,
      original.obstacle == nil, file.size == original.size, let bytes = digest(path), let wanted = digest(target)
    else { return name }
    return .copy(of: target, isSame: bytes.length == wanted.length && bytes.digest == wanted.digest)
  }

  private func digest(_ path: BytePath) -> AssetContent? {
    reader.digest(path, bytesMax: SurveyLimits.assetBytesMax, from: memory?.digests)?.answer
  }

  private mutating func surveyForeign(_ path: BytePath, _ kind: ForeignKind?) {
    guard let file = reader.look(at: path) else { return }
    let content: StrayFacts.Content =
      kind == .appleDouble && begins(path, with: appleDoubleMagic) ? .appleDouble : .nothing
    facts.strays.append(
      StrayFacts(file: FileFacts(path: path, status: file.status), name: .foreign, content: content))
  }

  /// What a file is good for whose name does not tell: a page or record says so itself, an image is what a page needs.
  private mutating func readStray(_ path: BytePath, name: StrayFacts.Name, folder: PackageFolder) {
    guard var found = content(ofStray: path, folder) else { return }
    // An unknown file of any size is nobody's trouble: only what we need to read can be too large.
    if case .tooLarge = found.file.obstacle { found.file = FileFacts(path: path, status: found.file.status) }
    facts.strays.append(StrayFacts(file: found.file, name: name, content: found.content))
  }

  private func content(
    ofStray path: BytePath, _ folder: PackageFolder
  ) -> (file: FileFacts, content: StrayFacts.Content)? {
    if facts.level == .quick && folder != .package { return reader.look(at: path).map { ($0, .nothing) } }
    switch folder {
    case .package:
      let found = reader.whole(
        path, bytesMax: SurveyLimits.recordBytesMax, from: memory?.strayRecords, { RecordSurvey.stray($0) })
      guard let found, facts.level != .quick else { return found.map { ($0.file, $0.answer ?? .nothing) } }
      if case .tooLarge = found.file.obstacle, isPage(path) { return page(ofStray: path) }
      return pictured(found.file, found.answer ?? .nothing)
    case .pages: return page(ofStray: path).map { pictured($0.file, $0.content) }
    case _ where isPage(path): return page(ofStray: path)
    case .assets: return digest(ofStray: path)
    default: return reader.look(at: path).map { ($0, .nothing) }
    }
  }

  private func isPage(_ path: BytePath) -> Bool { begins(path, with: PageHeader.magic) }

  private func begins(_ path: BytePath, with magic: [UInt8]) -> Bool {
    reader.head(of: path, count: magic.count, bytesMax: SurveyLimits.pageBytesMax)?.answer == magic
  }

  private func page(ofStray path: BytePath) -> (file: FileFacts, content: StrayFacts.Content)? {
    let found = reader.whole(
      path, bytesMax: SurveyLimits.pageBytesMax, from: memory?.strayPages,
      { bytes in PageSurvey.wholePage(of: bytes).map { .page($0.0, $0.1) } ?? StrayFacts.Content.nothing })
    guard let found else { return nil }
    guard case .nothing? = found.answer, !path.name.hasPrefix("."), isPage(path) else {
      return (found.file, found.answer ?? .nothing)
    }
    let nothing: ContentMemory<OnlyQuestion, StrayFacts.Content>? = nil
    let damaged = reader.whole(path, bytesMax: SurveyLimits.pageBytesMax, from: nothing) { bytes in
      PageSurvey.damagedPage(of: bytes, hints: hints).map { .damagedPage($0.0, $0.1) } ?? StrayFacts.Content.nothing
    }
    return damaged.map { ($0.file, $0.answer ?? .nothing) }
  }

  private func digest(ofStray path: BytePath) -> (file: FileFacts, content: StrayFacts.Content)? {
    reader.digest(path, bytesMax: SurveyLimits.assetBytesMax, from: memory?.digests)
      .map { found in (found.file, found.answer.map { .bytes($0) } ?? .nothing) }
  }

  /// The same with its digest, where it is nothing else and has the size of an image that a page shows.
  private func pictured(
    _ file: FileFacts, _ content: StrayFacts.Content
  ) -> (file: FileFacts, content: StrayFacts.Content) {
    guard case .nothing = content, wantedSizes.contains(file.size) else { return (file, content) }
    switch file.obstacle {
    case nil, .tooLarge: return digest(ofStray: file.path) ?? (file, content)
    default: return (file, content)
    }
  }
}
