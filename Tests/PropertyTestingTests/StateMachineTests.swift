import Testing

@testable import PropertyTesting

@Suite struct StateMachineTests {
  /// Pages are made, named and removed; a page that is removed twice is a mistake of the machine itself.
  private struct Notebook {
    var pages = Bundle<Int>("page")
    var removed = 0
  }

  private static func notebook(_ invariants: [StateMachine<Notebook>.Invariant] = []) -> StateMachine<Notebook> {
    var machine = StateMachine(
      "notebook", initial: Notebook(),
      rules: [
        .init("add") { model, source in
          let page = model.pages.add(source.int(in: 0...9))
          source.tell("add \(page.name)")
          return .holds
        },
        .init("remove", when: { !$0.pages.isEmpty }) { model, source in
          let page = model.pages.draw(source)
          source.tell("remove \(page.name)")
          model.pages.remove(page)
          model.removed += 1
          return .holds
        },
      ])
    machine.invariants = invariants
    return machine
  }

  @Test func referencesHaveNames() {
    let removed = StateMachine<Notebook>.Invariant("two are gone") { $0.removed < 2 }
    var search = Search(StateMachineTests.notebook([removed]).property)
    let failures = search.run().failures
    #expect(failures.map(\.bucket) == ["two are gone"])
    #expect(failures.map(\.record.told) == [["add page1", "add page2", "remove page1", "remove page2"]])
  }

  @Test func whatIsNotEnabledIsNeverRun() {
    let machine = StateMachineTests.notebook()
    for seed in 0..<200 as Range<UInt64> {
      let source = ChoiceSource(beyond: .random(seed: seed), isTelling: true)
      let record = source.record(machine.run(source))
      #expect(record.status == .valid && record.told.count <= machine.stepsMax)
    }
  }

  /// A pick that is not enabled is a discarded span; without it the case is the same.
  @Test func vainPicksCanBeLeftOut() {
    let machine = StateMachineTests.notebook()
    let source = ChoiceSource(
      prefix: [.int(0), .bool(true), .int(1), .int(1), .int(0), .int(7), .bool(false)], isTelling: true)
    let record = source.record(machine.run(source))
    #expect(record.told == ["add page1"])
    #expect(record.spans.filter(\.isDiscarded).map(\.range) == [2..<3, 3..<4])
    let without = Search.replay([.int(0), .bool(true), .int(0), .int(7), .bool(false)], of: machine.property)
    #expect(without.told == record.told && without.firstMisaligned == nil)
  }

  /// After twelve picks in vain one is drawn among the enabled ones, and said as a number among all.
  @Test func manyVainPicksEndWithAnEnabledRule() {
    let machine = StateMachineTests.notebook()
    let vain = [ChoiceValue](repeating: .int(1), count: 12)
    let source = ChoiceSource(
      prefix: [.int(0), .bool(true)] + vain + [.int(0), .int(0), .int(3), .bool(false)], isTelling: true)
    let record = source.record(machine.run(source))
    #expect(record.told == ["add page1"])
    #expect(record.spans.count(where: \.isDiscarded) == 13)
    #expect(record.choices.filter(\.isForced).map(\.value) == [.int(0)])
  }

  /// The second of the enabled ones is the third of all, and that is what the number says from then on.
  @Test func theRuleBehindVainPicksIsANumberAmongAll() {
    let machine = StateMachine(
      "three", initial: 0,
      rules: (0..<3).map { number in
        .init("rule \(number)", when: { _ in number > 0 }) { _, source in
          source.tell("rule \(number)")
          return .holds
        }
      })
    let vain = [ChoiceValue](repeating: .int(0), count: 12)
    let long = Search.replay([.int(0), .bool(true)] + vain + [.int(1), .int(2), .bool(false)], of: machine.property)
    #expect(long.told == ["rule 2"])
    #expect(long.choices.filter(\.isForced).map(\.value) == [.int(2)])
    let short = Search.replay([.int(0), .bool(true), .int(2), .bool(false)], of: machine.property)
    #expect(short.told == long.told)
  }

  @Test func aRunEndsWhereNothingIsEnabled() {
    let machine = StateMachine("stuck", initial: 0, rules: [.init("never", when: { _ in false }) { _, _ in .holds }])
    var search = Search(machine.property)
    let result = search.run()
    #expect(result.failures.isEmpty && result.counts.overrun == 0)
  }

  /// Some runs leave rules out for as long as they last; the simplest leaves none out.
  @Test func aPartOfTheRunsLeavesRulesOut() {
    let machine = StateMachine(
      "swarm", initial: [0, 0, 0],
      rules: (0..<3).map { number in
        .init("rule \(number)") { model, _ in
          model[number] += 1
          return .holds
        }
      })
    var counts: [Int] = []
    for seed in 0..<100 as Range<UInt64> {
      let source = ChoiceSource(beyond: .random(seed: seed))
      _ = machine.run(source)
      counts.append(
        Set(source.choices.compactMap { $0.constraint == .int(low: 0, high: 2, origin: 0) ? $0.value : nil }).count)
    }
    #expect(counts.contains(3))
    let swarm = ChoiceSource(prefix: [.int(3), .bool(true), .bool(false), .bool(true)], beyond: .random(seed: 1))
    _ = machine.run(swarm)
    let steps = swarm.spans.filter { $0.label == "rule" && !$0.isDiscarded }.map { swarm.choices[$0.start].value }
    #expect(!steps.isEmpty && steps.allSatisfy { $0 == .int(1) })
  }

  @Test func aMachineShowsItsLoops() {
    var machine = DieHard.machine("jugs")
    machine.state = { UInt64(bitPattern: Int64($0.name)) }
    let record = Search.replay(
      [.int(0), .bool(true), .int(0), .bool(true), .int(2), .bool(false)], of: machine.property)
    #expect(record.states.map(\.position) == [1, 3, 5])
    #expect(record.states.map(\.state) == [0, 3, 0])
  }
}
