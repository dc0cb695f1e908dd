import CrashModel

extension CrashAccount {
  /// What is lost, a phrase each: "write a.tmp", "rename a.tmp -> a".
  ///
  /// Equal for states that lose the same things of the same operations, however many blocks of them.
  package var losses: Set<String> {
    Set(
      items.filter { $0.share != .whole }.map { item in
        let other = item.record.otherPath.map { " -> \($0)" } ?? ""
        return "\(item.isContent ? "data of " : "")\(item.record.kind.rawValue) \(item.record.path)\(other)"
      })
  }
}
