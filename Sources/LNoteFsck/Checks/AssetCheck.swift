import Files
import LNoteFormat

/// Images: LN1104, LN1203 to LN1205, LN1503, LN4001, LN4002, LN4003, LN4005, LN4006, LN4009.
enum AssetCheck {
  static func problems(in view: PackageView) -> [Problem] {
    var found: [Problem] = []
    let isListed = view.isListed(PackagePaths.assets)
    let missing =
      isListed ? view.uses.keys.filter { view.asset($0) == nil && !view.isAbsent(PackagePaths.asset($0)) }.sorted() : []
    let places = ImagePlacement(view)
    for id in missing { found += self.missing(id, places, view) }
    let missed = missedElsewhere(view)
    for asset in view.facts.assets {
      guard let content = asset.content else { continue }
      if let uses = view.uses[asset.id] {
        found += used(asset, content, uses, places, view)
      } else if !missed.contains(asset.file.path) {
        found += unused(asset, content, view)
      }
    }
    return found
  }

  private static func missing(_ id: NoteID, _ places: ImagePlacement, _ view: PackageView) -> [Problem] {
    guard let uses = view.uses[id], let use = uses.first else { return [] }
    if let copy = view.copy(forAsset: id) {
      return [onlyCopy(copy, of: id, uses, isAlone: true, view)]
    }
    // It is there under another image's name, which is told with that.
    if places.files[id] != nil { return [] }
    if view.isLossRecorded(ofAsset: id) { return [] }
    var problem = Problem(
      .assetMissing, path: PackagePaths.asset(id), page: use.page, asset: id,
      evidence: "shown by \(uses.count) images", slots: ["pages": Sentences.onPages(uses)],
      action: .recordAssetLoss(id))
    problem.loss.elements = UInt64(uses.count)
    if view.facts.isAsIs { problem.keepsItsPlace() }
    return [problem]
  }

  private static func used(
    _ asset: AssetFacts, _ content: AssetContent, _ uses: [ImageUse], _ places: ImagePlacement, _ view: PackageView
  ) -> [Problem] {
    if view.isAssetWhole(asset.id) { return conflict(asset, content, uses) }
    guard let use = uses.first else { return [] }
    let copy = view.copy(forAsset: asset.id)
    if let other = places.homes[asset.file.path] {
      let isHere = copy != nil || places.files[asset.id] != nil || view.facts.elsewhere.images[asset.id] != nil
      return [misplaced(asset, holding: other, uses, isHere: isHere, view)]
        + (copy.map { [onlyCopy($0, of: asset.id, uses, isAlone: false, view)] } ?? [])
    }
    let elsewhere = places.files[asset.id]
    if copy == nil && elsewhere == nil && view.isLossRecorded(ofAsset: asset.id) { return [] }
    var problem = damage(asset, content, use.image, where: "on \(Sentences.onPages(uses))")
    problem.path = asset.file.path
    problem.page = use.page
    problem.asset = asset.id
    if let elsewhere {
      problem.details = ["A whole copy is there: \(elsewhere)."]
      problem.action = .place(from: elsewhere, to: asset.file.path)
      return [problem]
    }
    guard let copy else {
      problem.loss.elements = UInt64(uses.count)
      problem.action = .recordAssetLoss(asset.id)
      problem.details = content.decoding?.shownPercent.map { [Sentences.shown($0)] } ?? []
      return [problem]
    }
    problem.details = ["A whole copy is there: \(copy.path)."]
    problem.action = .restore(from: copy.path, to: asset.file.path)
    return [problem, onlyCopy(copy, of: asset.id, uses, isAlone: false, view)]
  }

  /// A whole image that another place was given otherwise: LN4009.
  private static func conflict(_ asset: AssetFacts, _ content: AssetContent, _ uses: [ImageUse]) -> [Problem] {
    let others = uses.filter { $0.image.assetLength != content.length || $0.image.assetDigest != content.digest }
    guard let other = others.first else { return [] }
    var problem = Problem(
      .assetConflict, path: asset.file.path, page: other.page, asset: asset.id,
      evidence: "\(others.count) of \(uses.count) places name another digest",
      slots: [
        "pages": Sentences.onPages(uses), "others": Sentences.onPages(others),
        "some": Sentences.onPages(uses.filter { !others.contains($0) }),
      ])
    problem.loss.elements = UInt64(others.count)
    return [problem]
  }

  private static func misplaced(
    _ asset: AssetFacts, holding other: NoteID, _ uses: [ImageUse], isHere: Bool, _ view: PackageView
  ) -> Problem {
    var problem = Problem(
      .nameIdentityDiffers, path: asset.file.path, page: uses.first?.page, asset: asset.id,
      evidence: "the digest is that of \(other)",
      slots: [
        "what": "The file of the image on \(Sentences.onPages(uses))",
        "other": "another image, on \(Sentences.onPages(view.uses[other] ?? []))",
      ], action: .place(from: asset.file.path, to: PackagePaths.asset(other)))
    if !isHere && !view.isLossRecorded(ofAsset: asset.id) {
      problem.loss.elements = UInt64(uses.count)
      problem.details = ["Its own picture is not here."]
    }
    return problem
  }

  private static func damage(
    _ asset: AssetFacts, _ content: AssetContent, _ image: PlacedImage, where place: String
  ) -> Problem {
    if content.length == 0 { return Problem(.zeroLength, slots: ["what": "The image \(place)"]) }
    if content.hasZeros { return Problem(asset.file.zeros, slots: ["what": "The image \(place)"]) }
    if content.length < image.assetLength {
      let missing = image.assetLength - content.length
      return Problem(
        .assetTruncated, evidence: "\(content.length) of \(image.assetLength) bytes",
        slots: ["where": place, "missing": ": \(Sentences.bytes(missing)) are missing at its end"])
    }
    if content.isCut {
      return Problem(
        .assetTruncated, evidence: "the end of the image is missing", slots: ["where": place, "missing": ""])
    }
    return Problem(.assetDamaged, evidence: "the digest is not the page's", slots: ["where": place])
  }

  private static func onlyCopy(
    _ file: FileFacts, of id: NoteID, _ uses: [ImageUse], isAlone: Bool, _ view: PackageView
  ) -> Problem {
    let target = PackagePaths.asset(id)
    var problem = Problem(
      view.kind(ofCopyAt: file.path, for: target), path: file.path, page: uses.first?.page, asset: id,
      evidence: "the digest is the page's",
      slots: ["file": "\(file.path)", "target": "the image on \(Sentences.onPages(uses))"],
      action: .restore(from: file.path, to: target))
    problem.isAlone(isAlone)
    return problem
  }

  /// Files that hold the bytes of an image that is missing or damaged: told with that.
  private static func missedElsewhere(_ view: PackageView) -> Set<BytePath> {
    Set(
      view.uses.compactMap { id, uses in
        view.isAssetWhole(id) ? nil : uses.first.flatMap { view.candidate(forAsset: $0)?.path }
      })
  }

  private static func unused(_ asset: AssetFacts, _ content: AssetContent, _ view: PackageView) -> [Problem] {
    let what = Sentences.imageFile(asset.file.path)
    if content.length == 0 {
      return [
        Problem(
          .zeroLength, path: asset.file.path, asset: asset.id, slots: ["what": what],
          action: .setAside(asset.file.path))
      ]
    }
    if view.weakUses.contains(asset.id) { return [] }
    let slots = ["size": Sentences.size(content.length)]
    guard let doubt = view.doubt else {
      return [
        Problem(
          .assetOrphan, path: asset.file.path, asset: asset.id, slots: slots, action: .setAside(asset.file.path))
      ]
    }
    var problem = Problem(.assetUnproven, path: asset.file.path, asset: asset.id, slots: slots)
    switch doubt {
    case .packageInUse: problem.details = [Sentences.assetStaysWhileOpen]
    case .unread(let pages): problem.details = [Sentences.assetStays(damagedPages: pages)]
    case .lossOpen: problem.details = [Sentences.assetStaysForLoss]
    case .asIs: problem.details = [Sentences.assetStaysAsIs]
    }
    return [problem]
  }
}
