import Files
import LNoteFormat

/// The newest `document.json` among those that repairs of a package have set aside.
///
/// It tells the order of pages where nothing else does any more, and losses that were known.
enum SetAsideSurvey {
  /// In how many repairs it is looked for, the last one first.
  static let repairsMax = 16
  /// How many versions one repair may have set aside: one a round.
  static let versionsMax = Fsck.roundsMax

  /// Nil where there is none that is whole and of this identity.
  static func document(
    of facts: PackageFacts, in places: [SetAsidePlace], memory: SurveyMemory?, progress: @escaping (Int) -> Void
  ) -> DocumentRecord? {
    let readers = places.map { SurveyReader(volume: $0.volume, package: $0.parent, progress: progress) }
    let repairs = readers.indices.flatMap { reader in stamps(in: places[reader]).map { (name: $0, reader: reader) } }
      .sorted { RepairHistory.isLater($0.name, than: $1.name) }
    for repair in repairs.prefix(repairsMax) {
      let versions = versions(in: BytePath(repair.name), readers[repair.reader], memory)
      let fitting = versions.filter { facts.folderID == nil || $0.id == facts.folderID }
      if let newest = fitting.max(by: { $0.generation < $1.generation }) { return newest }
    }
    return nil
  }

  private static func stamps(in place: SetAsidePlace) -> [String] {
    guard (try? place.volume.status(at: place.parent))?.kind == .directory,
      let entries = try? place.volume.entries(of: place.parent, countMax: SurveyLimits.namesMax)
    else { return [] }
    return entries.compactMap(\.name.exactText).filter { RepairHistory.order(of: $0) != nil }
  }

  /// What a repair set aside under the name of the document: "document.json", "document.json.2", and so on.
  private static func versions(
    in repair: BytePath, _ reader: SurveyReader, _ memory: SurveyMemory?
  ) -> [DocumentRecord] {
    guard reader.look(at: repair, expecting: .directory)?.obstacle == nil else { return [] }
    var found: [DocumentRecord] = []
    for number in 1...versionsMax {
      let name = BytePath("\(PackagePaths.document)" + (number == 1 ? "" : ".\(number)"))
      let file = reader.whole(
        repair.appending(name), bytesMax: SurveyLimits.recordBytesMax, from: memory?.strayRecords,
        { RecordSurvey.stray(Array($0)) })
      guard let file else { break }
      if case .document(let record)? = file.answer { found.append(record) }
    }
    return found
  }
}
