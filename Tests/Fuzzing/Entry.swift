import Files
import TestSupport

/// Which reader is fed: `LNOTE_FUZZ` names it.
private let reader = Host.environment("LNOTE_FUZZ").flatMap { FuzzedReader(rawValue: $0) }

/// Called by libFuzzer before anything else; writes the seeds into `LNOTE_FUZZ_SEEDS`, a folder.
@_cdecl("LLVMFuzzerInitialize")
package func initializeFuzzer(
  _ count: UnsafeMutablePointer<CInt>,
  _ words: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>>>
) -> CInt {
  guard let reader else { preconditionFailure("LNOTE_FUZZ names none of \(FuzzedReader.allCases.map(\.rawValue))") }
  guard let folder = Host.environmentPath("LNOTE_FUZZ_SEEDS"), let host = try? HostVolume(root: folder) else {
    return 0
  }
  for (number, seed) in reader.seeds().enumerated() {
    let name = BytePath("seed-\(number)")
    if (try? host.status(at: name)) == nil { try? host.make(name, seed) }
  }
  return 0
}

/// Called by libFuzzer with each input.
@_cdecl("LLVMFuzzerTestOneInput")
package func feedReader(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  reader?.read(Array(UnsafeBufferPointer(start: data, count: count)))
  return 0
}
