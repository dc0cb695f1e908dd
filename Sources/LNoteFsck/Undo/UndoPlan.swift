import Files

/// What taking a repair back has to do: one item for each place that the repair changed, made from its ledger alone.
///
/// An item knows what stood there before and everything that the repair ever had there. So it does not matter how far
/// the repair got, nor how far an undo got that was cut short.
struct UndoPlan {
  struct Item: Hashable {
    let path: BytePath
    /// What stood there before the repair.
    var before: PlaceState
    /// The name in the ledger's folder under which it is kept; nil where nothing stood there.
    var kept: BytePath?
    /// Everything that the repair found or put there.
    var ours: Set<PlaceState>

    /// True where nobody but the repair has put there what stands there now. Where nothing does, nothing can be lost.
    func isOurs(_ state: PlaceState) -> Bool { state == .nothing || ours.contains(state) }
  }

  /// In the order in which they are taken back: the last change first.
  let items: [Item]

  init(_ lines: [LedgerLine]) {
    var items: [Item] = []
    var places: [BytePath: Int] = [:]
    for line in lines {
      if let place = places[line.path] {
        items[place].ours.insert(line.state)
        continue
      }
      var item = Item(path: line.path, before: .nothing, kept: nil, ours: [line.state])
      if case .aside(let name) = line.event { (item.before, item.kept) = (line.state, name) }
      places[line.path] = items.count
      items.append(item)
    }
    self.items = items.reversed()
  }
}
