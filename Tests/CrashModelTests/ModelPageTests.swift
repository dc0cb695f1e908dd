import Files
import TestSupport
import Testing

@testable import CrashModel

@Suite struct ModelPageTests {
  /// Docs/your-program/models.md ends with the page that the models print.
  @Test func thePageSaysWhatTheModelsAre() throws {
    let folder = try HostVolume(root: repositoryRoot.appending("Docs/your-program"))
    let text = String(decoding: try folder.readWhole("models.md", sizeMax: 1 << 16), as: UTF8.self)
    #expect(text.hasSuffix("\n\n\(PersistenceModel.page)"), "\(PersistenceModel.page)")
    #expect(text.contains("(1,074 trees"))
  }

  @Test func everyModelHasANameOfItsOwn() {
    #expect(Set(PersistenceModel.all.map(\.name)).count == PersistenceModel.all.count)
    #expect(Set(PersistenceModel.all.map(\.rules)).count >= PersistenceModel.all.count - 1)
    for model in PersistenceModel.all { #expect(PersistenceModel.named(model.name) == model) }
    #expect(PersistenceModel.named("ext5") == nil)
  }
}
