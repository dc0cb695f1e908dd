import Bytes
import DamageCorpus
import FileTracing
import Files
import LNoteFormat
import Synchronization
import TestSupport

extension FuzzedReader {
  /// What to begin with: sound files, so that the fuzzer does not have to find out what one looks like.
  func seeds() -> [[UInt8]] {
    let packages = Bases.all.sorted { $0.key < $1.key }.map(\.value)
    func files(_ names: (SoundPackage) -> [String]) -> [[UInt8]] {
      packages.flatMap { package in names(package).compactMap { package.tree.bytes(at: package.path($0)) } }
    }
    switch self {
    case .page: return files { $0.pages.prefix(3).map { PackageNames.page($0.id) } }
    case .journal: return FuzzedReader.journals()
    case .document: return files { _ in [PackageNames.document] }
    case .manifest: return files { _ in [PackageNames.manifest] }
    case .json: return files { _ in [PackageNames.document, PackageNames.manifest] }
    case .jpeg: return files { $0.assets.map { PackageNames.asset($0.id) } }
    case .thumbnail: return files { $0.pages.prefix(2).map { PackageNames.thumbnail($0.id) } }
    case .archive: return packages.prefix(2).map { TarText($0.tree).bytes }
    case .log: return [FuzzedReader.log()]
    case .scenario: return FuzzedReader.scenarios()
    case .repair: return (0..<16).map { [UInt8($0)] }
    }
  }

  private static func journals() -> [[UInt8]] {
    ["add add", "add remove replace picture1 new", ""].compactMap { words in
      guard let package = Bases.all["small"] else { return nil }
      var stage = DamageStage(package)
      guard (try? stage.follow(Recipe("journal page1 \(words)"))) != nil else { return nil }
      return stage.path(of: "journal1").flatMap { stage.tree.bytes(at: $0) }
    }
  }

  private static func log() -> [UInt8] {
    let sink = KeptBytes()
    OperationLogWriter.write(OperationLogHeader(), to: sink)
    for number in 1...3 as ClosedRange<UInt64> {
      let record = OperationRecord(number: number, kind: .rename, path: "a", otherPath: "pages/b")
      OperationLogWriter.write(record, data: [], to: sink)
    }
    return sink.bytes
  }

  private static func scenarios() -> [[UInt8]] {
    guard let host = try? HostVolume(root: repositoryRoot.appending("Scenarios")),
      let entries = try? host.entries(of: .root, countMax: 1000)
    else { return [] }
    return entries.filter { $0.name.hasSuffix(".scn") }.compactMap { try? host.bytes(of: $0.name) }
  }
}

/// Keeps what is written.
private final class KeptBytes: OperationLogSink {
  private let kept = Mutex<[UInt8]>([])

  var bytes: [UInt8] { kept.withLock { $0 } }

  func append(_ pieces: [UnsafeRawBufferPointer]) {
    let bytes = pieces.flatMap { Array($0) }
    kept.withLock { $0 += bytes }
  }
}
