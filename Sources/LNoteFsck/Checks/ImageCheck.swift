import Files
import LNoteFormat
import Rendering

/// Images that are what was inserted, decoded: LN0011, LN4004 to LN4008.
///
/// Nothing of the document is lost in them, and no other copy would be any better: so they are never errors, and
/// nothing is repaired.
enum ImageCheck {
  static func problems(in view: PackageView) -> [Problem] {
    var found: [Problem] = []
    for asset in view.facts.assets {
      guard let decoding = asset.content?.decoding, view.isAssetWhole(asset.id), let uses = view.uses[asset.id],
        var problem = problem(decoding, "The image on \(Sentences.onPages(uses))")
      else { continue }
      problem.repairClass = .report
      (problem.path, problem.page, problem.asset) = (asset.file.path, uses.first?.page, asset.id)
      found.append(problem)
    }
    return found
  }

  private static func problem(_ image: AssetDecoding, _ what: String) -> Problem? {
    let walk = image.walk
    switch walk.condition {
    case .notJPEG(let kind):
      return Problem(.assetNotJPEG, evidence: kind.rawValue, slots: ["what": what, "kind": Sentences.image(of: kind)])
    case .truncated(let place):
      return inserted(.assetTruncated, what, "cut off", image, evidence: "no end of the image behind byte \(place)")
    case .damaged(let place): return inserted(.assetDamaged, what, "damaged", image, evidence: "markers, byte \(place)")
    case .zeroLength, .nulFilled: return inserted(.assetDamaged, what, "damaged", image, evidence: "no content")
    case .whole: break
    }
    let size = "\(walk.width) by \(walk.height) pixels"
    if walk.width == 0 || walk.height == 0 {
      return Problem(.assetZeroDimensions, evidence: size, slots: ["what": what])
    }
    guard let decoding = image.decoding else { return nil }
    if decoding.end == .tooLarge {
      var problem = Problem(.resourceLimit, severity: .warning, evidence: size)
      problem.statement = Sentences.tooManyPixels(what, size)
      return problem
    }
    if !decoding.isClean { return inserted(.assetDamaged, what, "damaged", image, evidence: decoding.message) }
    if walk.trailingBytes == 0 { return nil }
    return Problem(
      .assetTrailingData, evidence: "\(walk.trailingBytes) bytes",
      slots: ["what": what, "extra": Sentences.bytes(UInt64(walk.trailingBytes))])
  }

  private static func inserted(
    _ kind: ProblemKind, _ what: String, _ state: String, _ image: AssetDecoding, evidence: String
  ) -> Problem {
    var problem = Problem(kind, severity: .warning, evidence: evidence)
    problem.statement = Sentences.insertedLikeThis(what, state)
    problem.details = image.shownPercent.map { [Sentences.shown($0)] } ?? []
    return problem
  }
}
