import Testing

@testable import Scenarios

/// The files for editors know the words of the language.
@Suite struct EditorFilesTests {
  private func file(_ name: String) throws -> String {
    String(decoding: try ScenarioTexts.file("Docs/scenarios/editors/\(name)"), as: UTF8.self)
  }

  @Test func vimKnowsTheWords() throws {
    #expect(try file("vim/syntax/scn.vim") == EditorFiles.vim)
    #expect(try file("vim/ftdetect/scn.vim") == EditorFiles.vimDetection)
  }

  @Test func visualStudioCodeKnowsTheWords() throws {
    #expect(try file("vscode/syntaxes/scn.tmLanguage.json") == EditorFiles.grammar)
    #expect(try file("vscode/package.json") == EditorFiles.package)
    #expect(try file("vscode/language-configuration.json") == EditorFiles.configuration)
  }
}
