import Files
import LNoteFormat
import Rendering

@testable import LNoteFsck

extension Bench {
  /// Leaves iCloud's mark in the place of a file.
  func evict(_ path: BytePath) throws {
    try remove(path)
    try mark(path)
  }

  /// Puts iCloud's mark beside a file.
  func mark(_ path: BytePath) throws {
    try put(
      Array("bplist00".utf8),
      at: path.parent.appending(BytePath(bytes: Array(".".utf8) + path.name.bytes + Array(".icloud".utf8))))
  }
}

extension DamageCase {
  /// What iCloud keeps is no damage, and keeps everything else from being repaired.
  static let absent = [
    DamageCase("a page is in iCloud", "LN1301", left: "LN1301", exit: 8) { try $0.evict(page1) },
    DamageCase("every page is in iCloud", "LN1301 LN4003", left: "LN1301 LN4003", exit: 8) { bench in
      for page in Bench.pages { try bench.evict(PackagePaths.page(page)) }
    },
    DamageCase("the folder of pages is in iCloud", "LN1301 LN4003", left: "LN1301 LN4003", exit: 8) { bench in
      for page in Bench.pages { try bench.remove(PackagePaths.page(page)) }
      try bench.volume.removeDirectory(Bench.package.appending(PackagePaths.pages))
      try bench.mark(PackagePaths.pages)
    },
    DamageCase("an image is in iCloud", "LN1301", left: "LN1301", exit: 8) { try $0.evict(picture) },
    DamageCase("document.json is in iCloud", "LN1301", left: "LN1301", exit: 8) { try $0.evict(document) },
    DamageCase("manifest.json is in iCloud", "LN1301", left: "LN1301", exit: 8) { try $0.evict(manifest) },
    DamageCase("a thumbnail is in iCloud", "LN1301", left: "LN1301", exit: 8) { bench in
      try bench.evict(PackagePaths.thumbnail(Bench.pages[0]))
    },
    DamageCase("while a page is in iCloud no image is unused", "LN1301 LN4003", left: "LN1301 LN4003", exit: 8) {
      bench in
      try bench.evict(page3)
      try bench.put(Bench.picture, at: PackagePaths.asset(Bench.free))
    },
    DamageCase("while a page is in iCloud another is not repaired", "LN1301 LN3002", left: "LN1301 LN3002", exit: 12) {
      bench in
      try bench.evict(page3)
      try bench.damage(page1) { $0 = Array($0.dropLast(33)) }
    },
    DamageCase("iCloud's mark beside the file itself", "LN1601", left: "LN1601", exit: 0) { try $0.mark(page1) },
  ]
}
