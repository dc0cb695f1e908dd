import Files
import LNoteFormat

/// Image files that hold the bytes of another image, and nothing else does: LN1104. Digests tell which is which.
///
/// No file is taken from its name that holds what a page shows under that name.
struct ImagePlacement {
  /// The image whose name a file has to take, by the file.
  private(set) var homes: [BytePath: NoteID] = [:]
  /// The same by the image.
  private(set) var files: [NoteID: BytePath] = [:]

  init(_ view: PackageView) {
    guard view.isListed(PackagePaths.assets) else { return }
    var wanted = ImagePlacement.wanted(view)
    if wanted.isEmpty { return }
    for asset in view.facts.assets where view.uses[asset.id] != nil && !view.isAssetWhole(asset.id) {
      guard let content = asset.content else { continue }
      let bytes = Bytes(length: content.length, digest: content.digest)
      guard let place = wanted[bytes]?.firstIndex(where: { $0 != asset.id && files[$0] == nil }),
        let id = wanted[bytes]?.remove(at: place)
      else { continue }
      homes[asset.file.path] = id
      files[id] = asset.file.path
    }
  }

  /// What tells one picture from another.
  private struct Bytes: Hashable {
    let length: UInt64
    let digest: AssetDigest
  }

  /// The images that are neither in their place nor in a file without a name of its own, by the bytes they were given.
  private static func wanted(_ view: PackageView) -> [Bytes: [NoteID]] {
    var wanted: [Bytes: [NoteID]] = [:]
    for (id, uses) in view.uses.sorted(by: { $0.key < $1.key }) where !view.isAssetWhole(id) {
      if view.isAbsent(PackagePaths.asset(id)) || view.asset(id)?.file.obstacle != nil { continue }
      guard let use = uses.first, view.candidate(forAsset: use) == nil else { continue }
      for bytes in Set(uses.map { Bytes(length: $0.image.assetLength, digest: $0.image.assetDigest) }) {
        wanted[bytes, default: []].append(id)
      }
    }
    return wanted
  }
}
