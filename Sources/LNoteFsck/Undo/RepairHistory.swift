import Files

/// The repairs of a package that can be taken back, from the folders beside it or in the one that the user named.
///
///     <package>-lost+found/20261130T140212Z/          what the repair set aside, and its ledger
///     <package>-lost+found/20261130T140212Z-undone/   what the repair had made, once it was taken back
///
/// The second one's ledger is called finished when everything is taken back.
struct RepairHistory {
  static let undoneSuffix = "-undone"
  static let finishedName = "finished"

  /// The names of the repairs, the last one first.
  private(set) var repairs: [String] = []

  /// The repairs of this package that are not taken back yet.
  init(in place: SetAsidePlace) throws(FileCallError) {
    let (volume, parent) = (place.volume, place.parent)
    guard try volume.kind(at: parent) == .directory else { return }
    for entry in try volume.entries(of: parent, countMax: SurveyLimits.namesMax) {
      guard let name = entry.name.exactText, RepairHistory.order(of: name) != nil else { continue }
      let folder = parent.appending(entry.name)
      let finished = parent.appending(name + RepairHistory.undoneSuffix).appending(RepairHistory.finishedName)
      if try volume.kind(at: folder.appending(LostAndFound.ledgerName)) == .regular,
        try volume.kind(at: finished) == nil
      {
        repairs.append(name)
      }
    }
    repairs.sort { RepairHistory.isLater($0, than: $1) }
  }

  static func isLater(_ left: String, than right: String) -> Bool {
    guard let left = order(of: left), let right = order(of: right) else { return false }
    return left > right
  }

  /// "20261130T140212Z-2" as its time and number; nil for any other name.
  static func order(of name: String) -> (time: String, attempt: Int)? {
    let parts = name.split(separator: "-", omittingEmptySubsequences: false)
    guard let time = parts.first, time.utf8.count == 16, time.hasSuffix("Z"), parts.count <= 2 else { return nil }
    if parts.count == 1 { return (String(time), 1) }
    return Int(parts[1]).map { (String(time), $0) }
  }
}
