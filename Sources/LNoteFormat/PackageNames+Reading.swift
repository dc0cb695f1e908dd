extension PackageName {
  /// What the name of these bytes stands for in a folder.
  ///
  /// UUIDs are read in either case; `isCanonical` tells the spelling that a writer uses from others.
  package static func read(_ name: [UInt8], in folder: PackageFolder) -> PackageName {
    if let kind = ForeignKind.read(name) { return .foreign(kind) }
    if let temporary = TemporaryName.read(name) { return .temporary(temporary) }
    if name.first == UInt8(ascii: ".") { return placeholder(name) }
    switch folder {
    case .library: return identity(name, "lnote").map { .package($0) } ?? .unknown
    case .package: return inPackage(name)
    case .pages:
      if let id = identity(name, "content") { return .page(id) }
      return identity(name, "journal").map { .journal($0) } ?? .unknown
    case .assets: return identity(name, "jpg").map { .asset($0) } ?? .unknown
    case .thumbnails: return identity(name, "jpg").map { .thumbnail($0) } ?? .unknown
    }
  }

  /// The one spelling of this name that a writer uses; nil for what has no fixed spelling.
  package var canonical: String? {
    switch self {
    case .package(let id): "\(id).lnote"
    case .document: PackageNames.document
    case .manifest: PackageNames.manifest
    case .folder(.pages): PackageNames.pages
    case .folder(.assets): PackageNames.assets
    case .folder(.thumbnails): PackageNames.thumbnails
    case .page(let id): "\(id).content"
    case .journal(let id): "\(id).journal"
    case .asset(let id), .thumbnail(let id): "\(id).jpg"
    case .folder, .temporary, .foreign, .placeholder, .unknown: nil
    }
  }

  /// True when these bytes are the spelling that a writer uses.
  package func isCanonical(_ name: [UInt8]) -> Bool { canonical.map { Array($0.utf8) == name } ?? false }

  private static func placeholder(_ name: [UInt8]) -> PackageName {
    let ending = Array(".icloud".utf8)
    guard name.count > 1 + ending.count, name.suffix(ending.count).elementsEqual(ending) else { return .unknown }
    return .placeholder(target: Array(name[1..<(name.count - ending.count)]))
  }

  private static func inPackage(_ name: [UInt8]) -> PackageName {
    switch String(decoding: name, as: UTF8.self) {
    case PackageNames.document: .document
    case PackageNames.manifest: .manifest
    case PackageNames.pages: .folder(.pages)
    case PackageNames.assets: .folder(.assets)
    case PackageNames.thumbnails: .folder(.thumbnails)
    default: .unknown
    }
  }

  /// The UUID of "<UUID>.<ending>".
  private static func identity(_ name: [UInt8], _ ending: String) -> NoteID? {
    guard name.count == 37 + ending.utf8.count, name[36] == UInt8(ascii: "."),
      name[37...].elementsEqual(ending.utf8)
    else { return nil }
    return NoteID(String(decoding: name[..<36], as: UTF8.self))
  }
}

extension TemporaryName {
  /// The temporary file that these bytes name; nil where they name none.
  package static func read(_ name: [UInt8]) -> TemporaryName? {
    readOurs(name) ?? readFoundation(name) ?? readNSData(name)
  }

  /// ".<target>.<8 lower-case hex>.tmp" with a target of at least one byte.
  private static func readOurs(_ name: [UInt8]) -> TemporaryName? {
    let tail = 13  // ".", 8 digits, ".tmp"
    guard name.count > 1 + tail, name.first == UInt8(ascii: "."), name.suffix(4).elementsEqual(".tmp".utf8) else {
      return nil
    }
    let target = name[1..<(name.count - tail)]
    let digits = name[(name.count - 12)..<(name.count - 4)]
    guard name[name.count - tail] == UInt8(ascii: "."), let number = hexNumber(digits, upperCase: false) else {
      return nil
    }
    return .ours(target: Array(target), number: number)
  }

  /// ".dat.nosync<PID in hex>.<6 letters or digits>".
  private static func readFoundation(_ name: [UInt8]) -> TemporaryName? {
    let start = Array(".dat.nosync".utf8)
    guard name.starts(with: start), name.count > start.count + 7, name[name.count - 7] == UInt8(ascii: "."),
      name.suffix(6).allSatisfy(isLetterOrDigit),
      let process = hexNumber(name[start.count..<(name.count - 7)], upperCase: true)
    else { return nil }
    return .foundation(process: process)
  }

  /// "SCF.<hex>.tmp.<6 letters or digits>".
  private static func readNSData(_ name: [UInt8]) -> TemporaryName? {
    let start = Array("SCF.".utf8)
    let middle = Array(".tmp.".utf8)
    let digitsEnd = name.count - 6 - middle.count
    guard name.starts(with: start), digitsEnd > start.count, name[digitsEnd...].starts(with: middle),
      name.suffix(6).allSatisfy(isLetterOrDigit),
      name[start.count..<digitsEnd].allSatisfy({ hexDigit($0, upperCase: true) != nil })
    else { return nil }
    return .nsData
  }

  fileprivate static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: false
    }
  }

  /// The number of one to eight hex digits; upper-case ones only where that is allowed.
  private static func hexNumber(_ digits: ArraySlice<UInt8>, upperCase: Bool) -> UInt32? {
    guard (1...8).contains(digits.count) else { return nil }
    var number: UInt32 = 0
    for byte in digits {
      guard let digit = hexDigit(byte, upperCase: upperCase) else { return nil }
      number = number << 4 | UInt32(digit)
    }
    return number
  }

  private static func hexDigit(_ byte: UInt8, upperCase: Bool) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F") where upperCase: byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

extension PackageNames {
  /// True for the name of a part of a file, which a sync or a copy leaves only while it works.
  ///
  ///     X.part, X.partial, X.filepart, X.crdownload, X.download, X.!sync
  ///     .syncthing.X.tmp, ~syncthing~X.tmp
  ///     .X.~<digits>        Nextcloud
  ///     .X.<6 characters>   rsync, where X is a name of a package's own
  package static func isPart(_ name: [UInt8]) -> Bool {
    let text = String(decoding: name, as: UTF8.self).lowercased()
    let endings = [".part", ".partial", ".filepart", ".crdownload", ".download", ".!sync"]
    if endings.contains(where: { text.hasSuffix($0) && text.utf8.count > $0.utf8.count }) { return true }
    if text.hasSuffix(".tmp"), text.hasPrefix(".syncthing.") || text.hasPrefix("~syncthing~") { return true }
    guard name.first == UInt8(ascii: "."), let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 1 else {
      return false
    }
    let end = name[(dot + 1)...]
    if end.first == UInt8(ascii: "~"), end.count > 1 { return true }
    let own = [".json", ".content", ".jpg"]
    let target = String(decoding: name[..<dot], as: UTF8.self)
    return end.count == 6 && end.allSatisfy(TemporaryName.isLetterOrDigit) && own.contains { target.hasSuffix($0) }
  }
}

extension ForeignKind {
  /// The foreign file that these bytes name; nil where they name none.
  package static func read(_ name: [UInt8]) -> ForeignKind? {
    let settings = [".DS_Store", "Thumbs.db", "desktop.ini"]
    if settings.contains(where: { name.elementsEqual($0.utf8) }) { return .folderSettings }
    if name.count > 4, name.starts(with: ".nfs".utf8) { return .nfsRemoved }
    if name.count > 12, name.starts(with: ".fuse_hidden".utf8) { return .fuseHidden }
    if name.count > 2, name.starts(with: "._".utf8) { return .appleDouble }
    if name.count > 1, name.last == UInt8(ascii: "~") { return .backup }
    return nil
  }
}
