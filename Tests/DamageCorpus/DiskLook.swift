import Bytes
import FaultDisk
import Files
import LNoteFormat
import TestSupport

/// What stands on a volume at one moment, each file read once.
package struct DiskLook {
  /// What stands at one path.
  package struct Thing: Hashable {
    let kind: FileKind
    let permissions: UInt16
    let modified: Int64
    /// The digest of a file's bytes; nil for everything else.
    let digest: Digest128?

    /// The same but for its time: what taking a repair back gives back of a folder.
    var content: String { "\(kind) \(permissions) \(digest.map { "\($0)" } ?? "")" }
  }

  /// Everything, by its path.
  package private(set) var things: [BytePath: Thing] = [:]
  /// Whole elements that stand in page files, by the digest of the file.
  private(set) var elements: [Digest128: Set<PageElement>] = [:]
  /// Which version of a page a file is or belongs to, by the digest of the file.
  private var versions: [Digest128: PageVersion] = [:]
  /// The digests of images.
  private(set) var images: Set<Digest128> = []

  /// Looks at a volume; `known` has what was looked at before.
  package init(at volume: FaultVolume, known: DiskLook? = nil) throws {
    elements = known?.elements ?? [:]
    versions = known?.versions ?? [:]
    try walk(.root, volume)
  }

  private mutating func walk(_ folder: BytePath, _ volume: FaultVolume) throws {
    for entry in try volume.entries(of: folder, countMax: 1 << 16) {
      let path = folder.appending(entry.name)
      let status = try volume.status(at: path)
      let digest = status.kind == .regular ? take(try volume.readWhole(path, sizeMax: 64 << 20)) : nil
      things[path] = Thing(
        kind: status.kind, permissions: status.permissions, modified: status.modified, digest: digest)
      if status.kind == .directory { try walk(path, volume) }
    }
  }

  private mutating func take(_ bytes: [UInt8]) -> Digest128 {
    let digest = XXH3.digest128(of: bytes)
    if bytes.starts(with: [0x89, 0x4C, 0x4E, 0x50]) {
      if elements[digest] == nil { elements[digest] = Set(PageSalvage.salvage(bytes, expecting: nil).elements) }
      versions[digest] = PageReader.verify(bytes).header.map {
        PageVersion(page: $0.id, generation: $0.generation, checksum: $0.checksum, changes: 0)
      }
    } else if bytes.starts(with: JournalBytes.magic) {
      let reading = JournalReader.read(bytes)
      elements[digest] = Set((reading.changes + reading.behind).compactMap(\.element))
      versions[digest] = reading.verdict.header.map {
        PageVersion(
          page: $0.page, generation: $0.base, checksum: $0.baseChecksum,
          changes: reading.changes.count + reading.behind.count)
      }
    } else if bytes.starts(with: [0xFF, 0xD8]) {
      images.insert(digest)
    }
    return digest
  }

  /// The version of the file at a path: a page's own, or the one that a journal belongs to.
  func version(at path: BytePath) -> PageVersion? { things[path]?.digest.flatMap { versions[$0] } }

  /// What stands outside of what repairs set aside.
  var inPlace: [BytePath: Thing] {
    things.filter { !$0.key.description.contains("-lost+found") }
  }

  /// Whole elements that stand in some page file.
  var readable: Set<PageElement> {
    things.values.reduce(into: []) { all, thing in
      if let digest = thing.digest, let own = elements[digest] { all.formUnion(own) }
    }
  }

  /// Whole elements that stand in page files outside of what repairs set aside.
  var shown: Set<PageElement> {
    inPlace.reduce(into: []) { all, item in
      if item.key.hasSuffix(".content"), let digest = item.value.digest, let own = elements[digest] {
        all.formUnion(own)
      }
    }
  }
}

/// A version of a page, and how many changes of it stand in the file.
struct PageVersion: Hashable {
  let page: NoteID
  let generation: UInt64
  let checksum: UInt32
  let changes: Int
}

extension JournalChange {
  /// What it puts on the page.
  fileprivate var element: PageElement? {
    switch self {
    case .add(let element), .replace(_, let element): element
    case .remove, .unknown: nil
    }
  }
}
