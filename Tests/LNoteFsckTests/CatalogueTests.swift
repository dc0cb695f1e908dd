import Testing

@testable import LNoteFsck

@Suite struct CatalogueTests {
  @Test func codesAndNamesAreUniqueAndInOrder() {
    let codes = ProblemKind.all.map(\.code)
    #expect(codes == codes.sorted())
    #expect(Set(codes).count == codes.count)
    #expect(Set(ProblemKind.all.map(\.name)).count == codes.count)
  }

  @Test(arguments: ProblemKind.all) func everyRowSaysWhatItMust(kind: ProblemKind) {
    #expect(kind.code.count == 6 && kind.code.hasPrefix("LN"))
    #expect(!kind.name.isEmpty && kind.name == kind.name.lowercased())
    for sentence in [kind.rule, kind.message, kind.cause, kind.repair, kind.loss, kind.undo] {
      #expect(sentence.hasSuffix("."), "\(kind.code): \(sentence)")
    }
    // Words that the user shall not meet.
    let text = [kind.rule, kind.message, kind.cause, kind.repair, kind.loss].joined(separator: " ").lowercased()
    for word in ["fatal", "broken", "orphan", "quarantine", "preen", "consent", "inode"] {
      #expect(!text.contains(word), "\(kind.code): \(word)")
    }
  }

  @Test(arguments: [
    ("LN3001", "LN3001"), ("ln3001", "LN3001"), ("page-damaged", "LN3001"), ("LN9999", nil), ("", nil),
  ]) func aKindIsFoundByCodeAndName(text: String, code: String?) {
    #expect(ProblemKind.named(text)?.code == code)
  }

  @Test func everyCodeOfTheCatalogueHasACaseThatFires() {
    let fired = Set(DamageCase.all.flatMap { $0.found.split(separator: " ").map(String.init) })
    let elsewhere: Set<String> = [
      "LN4004", "LN4007", "LN4008", "LN0004", "LN0005", "LN0006", "LN0008", "LN0009", "LN0010", "LN0001", "LN0002",
      "LN0012", "LN1205", "LN0013", "LN8001",
      "LN8002", "LN8003", "LN8004",
      "LN8005", "LN8006", "LN8007", "LN8009",
    ]
    #expect(Set(ProblemKind.all.map(\.code)).subtracting(elsewhere).subtracting(fired) == [])
  }
}
