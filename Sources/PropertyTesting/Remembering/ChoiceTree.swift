/// Everything that was executed, as a tree: choices are its edges, what came of a case stands at its end.
///
/// A node is a run of choices that all cases passing it have in common, and what lies behind: an end, or several ways.
/// It answers what a case will come to without executing it, keeps chance away from what is known, and notices when
/// everything is known.
final class ChoiceTree {
  private struct Node {
    var run: ArraySlice<Choice>
    var rest: Rest
    var isExhausted: Bool
  }

  private enum Rest {
    case end(CaseStatus)
    /// A choice of this constraint, by the nodes behind its values.
    case ways(Constraint, [ChoiceValue: Int])
  }

  /// How many choices are kept at the most, about 50 MB; what is executed then is not remembered.
  static let choicesMax = 1 << 20

  private var nodes: [Node] = []
  private var choiceCount = 0

  /// True where every case there can be has been executed.
  var isExhausted: Bool { nodes.first?.isExhausted ?? false }

  /// Remembers a case that came to its end.
  func insert(_ record: CaseRecord) {
    guard record.status != .overrun, choiceCount + record.choices.count <= ChoiceTree.choicesMax else { return }
    guard !nodes.isEmpty else {
      nodes.append(leaf(record.choices[...], record.status))
      return
    }
    var path: [Int] = []
    var node = 0
    var rest = record.choices[...]
    while true {
      path.append(node)
      let common = zip(nodes[node].run, rest).prefix { $0.value == $1.value }.count
      rest = rest.dropFirst(common)
      if common < nodes[node].run.count {
        // A case that ends where another one went on, or of another shape, is not one that its choices decide.
        guard let choice = rest.first, splits(node, behind: common, at: choice) else { return }
      }
      guard case .ways(let constraint, var ways) = nodes[node].rest, let choice = rest.popFirst() else { break }
      guard let next = ways[choice.value] else {
        ways[choice.value] = nodes.count
        nodes.append(leaf(rest, record.status))
        nodes[node].rest = .ways(constraint, ways)
        break
      }
      node = next
    }
    for node in path.reversed() { nodes[node].isExhausted = isExhausted(nodes[node]) }
  }

  private func leaf(_ run: ArraySlice<Choice>, _ status: CaseStatus) -> Node {
    choiceCount += run.count
    var node = Node(run: run, rest: .end(status), isExhausted: false)
    node.isExhausted = isExhausted(node)
    return node
  }

  /// Makes ways behind so many choices of the node's run; false where the new case chose among something else there.
  private func splits(_ number: Int, behind common: Int, at choice: Choice) -> Bool {
    let node = nodes[number]
    let known = node.run[node.run.startIndex + common]
    guard known.constraint == choice.constraint, !known.isForced, !choice.isForced else { return false }
    var below = Node(run: node.run.dropFirst(common + 1), rest: node.rest, isExhausted: false)
    below.isExhausted = isExhausted(below)
    nodes[number].run = node.run.prefix(common)
    nodes[number].rest = .ways(known.constraint, [known.value: nodes.count])
    nodes.append(below)
    return true
  }

  private func isExhausted(_ node: Node) -> Bool {
    guard node.run.allSatisfy({ $0.isForced || $0.constraint.count == 1 }) else { return false }
    switch node.rest {
    case .end: return true
    case .ways(let constraint, let ways):
      return ways.count == constraint.count && ways.values.allSatisfy { nodes[$0].isExhausted }
    }
  }

  /// What the case would come to that follows this prefix and is the simplest behind it; nil where that is not known.
  ///
  /// A case of more than `choicesMax` choices is an overrun.
  func simulate(_ prefix: [ChoiceValue], choicesMax: Int) -> CaseStatus? {
    var walk = Walk(self)
    for count in 0... {
      switch walk.next {
      case .unknown: return nil
      case .end(let status): return status
      case .choice(let constraint, let forced):
        if count >= choicesMax { return .overrun }
        let wanted = count < prefix.count && constraint.permits(prefix[count]) ? prefix[count] : constraint.simplest
        walk.advance(
          Choice(unchecked: forced ?? wanted, of: constraint, isForced: forced != nil))
      }
    }
    return nil
  }

  /// Where a case is in the tree while it is drawn.
  struct Walk {
    private let tree: ChoiceTree
    /// Nil where the case has left what is known.
    private var node: Int?
    private var offset = 0

    init(_ tree: ChoiceTree) {
      self.tree = tree
      node = tree.nodes.isEmpty ? nil : 0
    }

    /// What stands here.
    enum Next {
      case unknown
      case end(CaseStatus)
      case choice(Constraint, forced: ChoiceValue?)
    }

    var next: Next {
      guard let node else { return .unknown }
      let here = tree.nodes[node]
      if offset < here.run.count {
        let known = here.run[here.run.startIndex + offset]
        return .choice(known.constraint, forced: known.isForced ? known.value : nil)
      }
      switch here.rest {
      case .end(let status): return .end(status)
      case .ways(let constraint, _): return .choice(constraint, forced: nil)
      }
    }

    /// Goes the way of this choice.
    mutating func advance(_ choice: Choice) {
      guard let node else { return }
      let run = tree.nodes[node].run
      if offset < run.count {
        if run[run.startIndex + offset].value == choice.value { offset += 1 } else { self.node = nil }
        return
      }
      guard case .ways(_, let ways) = tree.nodes[node].rest else {
        self.node = nil
        return
      }
      self.node = ways[choice.value]
      offset = 0
    }

    /// True where everything behind this value is known.
    func isExhausted(_ value: ChoiceValue) -> Bool {
      guard let node else { return false }
      let here = tree.nodes[node]
      if offset < here.run.count {
        let known = here.run[here.run.startIndex + offset]
        guard known.value == value else { return false }
        guard here.run.dropFirst(offset + 1).allSatisfy({ $0.isForced || $0.constraint.count == 1 }) else {
          return false
        }
        if case .end = here.rest { return true }
        guard case .ways(let constraint, let ways) = here.rest else { return false }
        return ways.count == constraint.count && ways.values.allSatisfy { tree.nodes[$0].isExhausted }
      }
      guard case .ways(_, let ways) = here.rest, let next = ways[value] else { return false }
      return tree.nodes[next].isExhausted
    }

    /// The simplest value that is not exhausted, where they are few enough to be tried one by one.
    func firstNovel(of constraint: Constraint) -> ChoiceValue? {
      switch constraint {
      case .bool: return [.bool(false), .bool(true)].first { constraint.permits($0) && !isExhausted($0) }
      case .int(let low, let high, _):
        guard constraint.count != nil else { return nil }
        return (low...high).lazy.map { ChoiceValue.int($0) }.first { !isExhausted($0) }
      case .float, .bytes: return nil
      }
    }
  }
}
