import LNoteFormat

/// What earlier repairs could not bring back: LN9001 until it is accepted, LN9002 when it is back.
enum LossCheck {
  static func problems(in view: PackageView) -> [Problem] {
    let document = view.documentWithLosses
    var found: [Problem] = []
    for entry in document.pages {
      // Told by the check of the page, where the document lists it.
      if let summary = view.page(entry.id)?.whole, view.entry(entry.id) != nil, isHealed(entry, by: summary) {
        continue
      }
      for loss in entry.losses {
        found.append(known(loss, what: view.name(ofPage: entry.id), page: view.place(entry.id)))
      }
    }
    for loss in document.losses {
      guard let asset = loss.asset else {
        found.append(known(loss, what: "The document", page: nil))
        continue
      }
      let uses = view.uses[asset] ?? []
      let what = uses.isEmpty ? "An image" : "The image on \(Sentences.onPages(uses))"
      if !loss.isAccepted, view.isAssetWhole(asset) {
        var problem = Problem(
          .healed, path: view.asset(asset)?.file.path, asset: asset,
          slots: ["what": what, "date": date(of: loss)], action: .healAsset(asset))
        problem.evidence = "the digest is the page's"
        found.append(problem)
      } else {
        var problem = known(loss, what: what, page: uses.first?.page)
        problem.asset = asset
        found.append(problem)
      }
    }
    return found
  }

  /// True where the content that a repair had to give up stands there again.
  ///
  /// Only an older file can be it: what the app writes after the repair has a higher generation than the entry.
  static func isHealed(_ entry: PageEntry, by summary: PageSummary) -> Bool {
    isHealed(entry, from: summary.generation, elements: summary.elements)
  }

  /// The same for a page of this generation with so many elements.
  static func isHealed(_ entry: PageEntry, from generation: UInt64, elements: UInt64) -> Bool {
    if generation < entry.generation && entry.isHealed(by: generation) { return true }
    let open = entry.losses.filter { !$0.isAccepted }
    guard !open.isEmpty, generation < entry.generation, elements >= entry.elementCount else { return false }
    return open.allSatisfy { loss in loss.lostGeneration.map { generation >= $0 } ?? false }
  }

  static func healed(_ entry: PageEntry, _ page: PageFacts, _ view: PackageView) -> Problem {
    let loss = entry.losses.first { !$0.isAccepted }
    let what = view.name(ofPage: page.id)
    var problem = Problem(
      .healed, path: page.file.path, page: view.place(page.id),
      evidence: "\(entry.elementCount) elements and more",
      slots: ["what": what, "date": loss.map(date(of:)) ?? ""], action: .healPage(page.id))
    if loss == nil {
      problem.statement = "\(what): what was lost is back, and the repair that noted it was ended early."
    }
    return problem
  }

  private static func known(_ loss: RecordedLoss, what: String, page: PagePlace?) -> Problem {
    var problem = Problem(
      .knownLoss, severity: loss.isAccepted ? .info : .error, page: page, evidence: loss.stamp,
      slots: ["what": what, "lost": Sentences.recordedLoss(loss), "date": date(of: loss), "code": loss.code])
    problem.loss = ContentLoss(elements: loss.elements, samples: loss.samples)
    return problem
  }

  private static func date(of loss: RecordedLoss) -> String { String(loss.at.text.prefix(10)) }
}

extension PackageView {
  /// The document with every loss that anything remembers: what a repair would make of it, where it is of no use.
  fileprivate var documentWithLosses: DocumentRecord {
    guard var document = document ?? documentCandidate?.record else {
      return DocumentRebuild.known(self, at: Timestamp(milliseconds: 0))
    }
    if let manifest = facts.manifest.record, isLater(manifest, than: document) {
      document.takeBack(manifest.losses ?? []) { page($0)?.whole }
    }
    return document
  }
}
