import Files
import Glibc
import LNoteFormat
import Rendering

/// Does the steps of a plan on a volume.
///
/// Each file is written whole under a temporary name and synced; what it replaces is given a second name in the
/// lost+found folder; then it is renamed into place and the folder synced. So at every moment the old content or the
/// new is there, and a repair that was cut short is taken up by the next run.
struct RepairExecutor {
  private let volume: any Volume
  private let package: BytePath
  private let lostAndFound: LostAndFound
  /// The folders that the user named for files that may be of use.
  private let sources: [LookIn]
  private var temporaryNumber: UInt32

  init(
    volume: any Volume, package: BytePath, lostAndFound: LostAndFound, sources: [LookIn] = [], stamp: RepairStamp,
    round: Int
  ) {
    self.volume = volume
    self.package = package
    self.lostAndFound = lostAndFound
    self.sources = sources
    // Any number will do that this repair has not used before.
    temporaryNumber = UInt32(truncatingIfNeeded: stamp.at.milliseconds) &+ UInt32(round) &* 4096
  }

  /// Does one step.
  mutating func perform(_ step: RepairStep) throws(RepairFailure) {
    do throws(FileCallError) {
      switch step.work {
      case .makeDirectory: try makeFolder(step.path, step)
      case .setAside: try lostAndFound.move(step.path, code: step.code, why: step.why)
      case .rename(let from): try finishRename(from, step)
      case .fetch(let file): try fetch(file, step)
      case .writeDocument(let record): try replace(step, with: record.encoded())
      case .writeManifest(let record): try replace(step, with: record.encoded())
      case .writeEmptyPage(let snapshot): try replace(step, with: snapshot.encoded())
      case .drawThumbnail(let page): try drawThumbnail(of: page, step)
      case .salvagePage, .trimPage, .cutJournal, .renewPage, .amendPage, .adoptPage: break
      }
    } catch {
      throw RepairFailure(error)
    }
    switch step.work {
    case .salvagePage(let order): try rewrite(step) { RepairExecutor.salvaged($0, order) }
    case .trimPage: try rewrite(step) { RepairExecutor.trimmed($0) }
    case .cutJournal(let end): try rewrite(step) { RepairExecutor.cut($0, at: Int(end)) }
    case .renewPage(let generation): try rewrite(step) { RepairExecutor.renewed($0, generation) }
    case .amendPage(let order): try rewrite(step) { order.amended($0) }
    case .adoptPage(let order): try rewrite(step, from: order.from) { order.adopted($0) }
    default: break
    }
  }

  /// Ends the repair where something else stands at one of these places than was there when it was planned.
  func expect(_ inputs: [PlanInput]) throws(RepairFailure) {
    for input in inputs {
      let state: PlaceState
      do throws(FileCallError) {
        state = try volume.state(at: package.appending(input.path))
      } catch {
        throw RepairFailure(error)
      }
      if state != input.state { throw .changed(input.path) }
    }
  }

  // MARK: New content of a page from its old one; nil where it is not what the plan was made for.

  static func salvaged(_ bytes: [UInt8], _ order: SalvageOrder) -> [UInt8]? {
    let page = PageSalvage.salvage(bytes, expecting: order.id, generationHint: order.hint).own(of: order.id)
    guard SalvageSummary(page) == order.expected else { return nil }
    let unproven = page.unprovenHeader.flatMap { $0.id == order.id ? $0.modified.ifUnproven : nil }
    return PageSnapshot(
      id: order.id, generation: order.generation, canvas: page.header?.canvas ?? order.canvas,
      created: page.header?.created ?? order.created, modified: page.header?.modified ?? unproven ?? order.modified,
      elements: page.elementsWithPartial
    ).encoded()
  }

  static func trimmed(_ bytes: [UInt8]) -> [UInt8]? {
    let verdict = PageReader.verify(bytes)
    guard case .trailing(let extra) = verdict.condition else {
      return verdict.condition == .whole ? bytes : nil
    }
    return Array(bytes.dropLast(extra))
  }

  static func cut(_ journal: [UInt8], at end: Int) -> [UInt8]? {
    let verdict = JournalReader.verify(journal)
    guard verdict.header != nil, verdict.goodEnd == end else { return nil }
    switch verdict.condition {
    case .tornTail, .zeroTail: return Array(journal[..<end])
    case .whole: return journal
    default: return nil
    }
  }

  static func renewed(_ bytes: [UInt8], _ generation: UInt64) -> [UInt8]? {
    guard var page = PageReader.read(bytes).snapshot else { return nil }
    page.generation = generation
    return page.encoded()
  }

  private mutating func rewrite(
    _ step: RepairStep, from source: BytePath? = nil, _ change: ([UInt8]) -> [UInt8]?
  ) throws(RepairFailure) {
    let source = source ?? step.path
    do throws(FileCallError) {
      let bytes = try volume.readWhole(package.appending(source), sizeMax: Int(SurveyLimits.pageBytesMax))
      if let new = change(bytes) { return try replace(step, with: new) }
    } catch {
      throw RepairFailure(error)
    }
    throw .changed(source)
  }

  /// A page that was written anew and cannot be read whole has no thumbnail; any other keeps the one it has.
  private mutating func drawThumbnail(of page: NoteID, _ step: RepairStep) throws(FileCallError) {
    let path = package.appending(PackagePaths.page(page))
    let bytes = try volume.readWhole(path, sizeMax: Int(SurveyLimits.pageBytesMax))
    guard let snapshot = PageReader.read(bytes, expecting: page).snapshot else {
      if ThumbnailCheck.codes.contains(step.code) { return }
      return try lostAndFound.move(step.path, code: step.code, why: step.why)
    }
    let (volume, package) = (volume, package)
    let thumbnail = Thumbnail(page: page, generation: snapshot.generation)
    let scene = PageScene(canvas: snapshot.canvas, elements: snapshot.elements)
    let file = thumbnail.file(showing: scene) { image in
      let path = package.appending(PackagePaths.asset(image.asset))
      let bytes = try? volume.readWhole(path, sizeMax: Int(SurveyLimits.assetBytesMax))
      return bytes.flatMap { image.shows($0) ? $0 : nil }
    }
    try replace(step, with: file)
  }

  // MARK: The moves

  private mutating func replace(_ step: RepairStep, with bytes: [UInt8]) throws(FileCallError) {
    let target = package.appending(step.path)
    if !step.path.parent.isRoot { try makeFolder(step.path.parent, step) }
    try putInPlace(try writeTemporary(for: target, bytes), step)
  }

  /// A copy of a file from elsewhere, which has to be what it was when it was chosen.
  private mutating func fetch(_ file: FoundFile, _ step: RepairStep) throws(FileCallError) {
    let target = package.appending(step.path)
    let source = sources[file.source].volume
    if !step.path.parent.isRoot { try makeFolder(step.path.parent, step) }
    var temporary = nextTemporary(for: target)
    while try volume.kind(at: temporary) != nil { temporary = nextTemporary(for: target) }
    try source.copyFile(file.path, to: temporary, of: volume, permissions: 0o644, modified: file.modified)
    if try volume.state(at: temporary) != file.state {
      try? volume.unlink(temporary)
      throw FileCallError("read", [file.path], Errno(rawValue: ESTALE))
    }
    try putInPlace(temporary, step)
  }

  /// Sets aside what stands at the step's place, and renames what is to stand there.
  private func putInPlace(_ temporary: BytePath, _ step: RepairStep) throws(FileCallError) {
    let target = package.appending(step.path)
    do throws(FileCallError) {
      try lostAndFound.keep(step.path, code: step.code, why: step.why)
      try lostAndFound.willPut(step.path, try volume.state(at: temporary), code: step.code, why: step.why)
      try volume.rename(temporary, to: target)
    } catch {
      try? volume.unlink(temporary)
      throw error
    }
    try volume.synchronizeDirectory(target.parent)
  }

  private mutating func finishRename(_ from: BytePath, _ step: RepairStep) throws(FileCallError) {
    let source = package.appending(from)
    let target = package.appending(step.path)
    // Done by an earlier run already.
    if try volume.kind(at: source) == nil { return }
    if !step.path.parent.isRoot { try makeFolder(step.path.parent, step) }
    let file = try volume.open(source, for: .reading)
    do throws(FileCallError) {
      try volume.synchronize(file)
    } catch {
      try? volume.close(file)
      throw error
    }
    try volume.close(file)
    try lostAndFound.keep(step.path, code: step.code, why: step.why)
    try lostAndFound.keepUntold(from, code: step.code, why: step.why)
    try lostAndFound.willPut(step.path, try volume.state(at: source), code: step.code, why: step.why)
    // This may be the only copy, and POSIX lets a power cut keep only that its name is gone: so a second name is renamed.
    let second = try secondName(of: source, for: target)
    try volume.rename(second ?? source, to: target)
    try volume.synchronizeDirectory(target.parent)
    if second != nil { try volume.unlink(source) }
    if second != nil || source.parent != target.parent { try volume.synchronizeDirectory(source.parent) }
  }

  /// A durable second name of a file beside its target; nil where the file system has no second names.
  private mutating func secondName(of source: BytePath, for target: BytePath) throws(FileCallError) -> BytePath? {
    var left = RepairExecutor.temporaryNamesMax
    while true {
      let name = nextTemporary(for: target)
      do throws(FileCallError) {
        guard try volume.linkWherePossible(source, to: name) else { return nil }
        try volume.synchronizeDirectory(name.parent)
        return name
      } catch {
        left -= 1
        if error.errno.name != "EEXIST" || left == 0 { throw error }
      }
    }
  }

  private func makeFolder(_ path: BytePath, _ step: RepairStep) throws(FileCallError) {
    if try volume.kind(at: package.appending(path)) == nil {
      try lostAndFound.willMakeFolder(path, code: step.code, why: step.why)
    }
    try volume.makeDirectoryWhereMissing(package.appending(path))
  }

  /// Names that a repair that was cut short left behind are passed over.
  private static let temporaryNamesMax = 1000

  private mutating func makeTemporary(
    for target: BytePath, permissions: UInt16
  ) throws(FileCallError) -> (BytePath, OpenFile) {
    var left = RepairExecutor.temporaryNamesMax
    while true {
      let path = nextTemporary(for: target)
      do throws(FileCallError) {
        return (path, try volume.open(path, for: .creating(permissions: permissions)))
      } catch {
        left -= 1
        if error.errno.name != "EEXIST" || left == 0 { throw error }
      }
    }
  }

  private mutating func nextTemporary(for target: BytePath) -> BytePath {
    temporaryNumber &+= 1
    let text = PackageNames.temporary(for: "x", number: temporaryNumber).utf8.dropFirst(2)
    return target.parent.appending(BytePath(bytes: [UInt8(ascii: ".")] + target.name.bytes + Array(text)))
  }

  private mutating func writeTemporary(
    for target: BytePath, _ bytes: [UInt8]
  ) throws(FileCallError) -> BytePath {
    let permissions =
      (try? volume.status(at: target))
      .flatMap { $0.kind == .regular ? $0.permissions : nil } ?? 0o644
    let (path, file) = try makeTemporary(for: target, permissions: permissions)
    do throws(FileCallError) {
      try volume.writeWhole(file, bytes)
      try volume.synchronize(file)
    } catch {
      try? volume.close(file)
      try? volume.unlink(path)
      throw error
    }
    try volume.close(file)
    return path
  }
}
