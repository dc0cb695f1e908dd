/// The texts that a scenario is made of: its own, and those of the files that it includes.
struct ScenarioSources: Sendable {
  /// One file.
  struct Source: Sendable {
    /// How diagnostics call it.
    let name: String
    /// Where it is, relative to the scenario's own folder.
    let path: String
    let text: SourceText
  }

  /// The scenario's own file, then the included ones; `SourcePlace.file` counts them.
  private(set) var all: [Source]
  let files: ScenarioFiles

  /// A scenario's own file.
  init(_ text: SourceText, name: String, files: ScenarioFiles) {
    all = [Source(name: name, path: name.split(separator: "/").last.map(String.init) ?? name, text: text)]
    self.files = files
  }

  mutating func add(_ text: SourceText, path: String) {
    let folder = all[0].name.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    let name = (folder.map(String.init) + [path]).joined(separator: "/")
    all.append(Source(name: path.hasPrefix("/") ? path : name, path: path, text: text))
  }

  func contains(_ path: String) -> Bool { all.contains { $0.path == path } }

  /// The path that a name means in the file that it stands in.
  func path(of name: Word) -> String { ScenarioFiles.path(of: name.value, in: all[name.place.file].path) }

  /// The diagnostic as the user sees it, with its file's name and line.
  func shown(_ diagnostic: Diagnostic) -> String {
    let source = all[all.indices.contains(diagnostic.place.file) ? diagnostic.place.file : 0]
    return source.text.shown(diagnostic, file: source.name)
  }
}
