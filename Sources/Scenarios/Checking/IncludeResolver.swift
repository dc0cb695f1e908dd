/// Puts what included files hold in the places of their `include`, each file once.
struct IncludeResolver {
  /// How deep files may include files.
  static let depthMax = 8
  /// How many files a scenario may be made of.
  static let filesMax = 64

  private(set) var sources: ScenarioSources
  private(set) var diagnostics = DiagnosticList()

  init(_ sources: ScenarioSources) { self.sources = sources }

  /// The scenario with the items of the included files.
  mutating func resolve(_ scenario: Scenario) -> Scenario {
    var whole = scenario
    whole.items = items(of: scenario, above: [sources.all[0].path])
    return whole
  }

  private mutating func items(of scenario: Scenario, above: [String]) -> [ScenarioItem] {
    var all: [ScenarioItem] = []
    for item in scenario.items {
      guard case .include(let name) = item else {
        all.append(item)
        continue
      }
      do throws(Diagnostic) {
        all += try included(name, above)
      } catch {
        diagnostics.add(error)
      }
    }
    return all
  }

  private mutating func included(_ name: Word, _ above: [String]) throws(Diagnostic) -> [ScenarioItem] {
    let path = sources.path(of: name)
    if above.contains(path) {
      let chain = (above.drop { $0 != path } + [path]).joined(separator: " includes ")
      throw Diagnostic(.error, name.place, "this never ends: \(chain)")
    }
    guard above.count <= IncludeResolver.depthMax else {
      throw Diagnostic(.error, name.place, "files include each other at most \(IncludeResolver.depthMax) deep")
    }
    // What two files need is there once.
    if sources.contains(path) { return [] }
    guard sources.all.count < IncludeResolver.filesMax else {
      throw Diagnostic(.error, name.place, "a scenario is made of at most \(IncludeResolver.filesMax) files")
    }
    let bytes: [UInt8]
    switch sources.files.read(path, Scenario.fileBytesMax) {
    case .success(let read): bytes = read
    case .failure(let refusal):
      throw Diagnostic(.error, name.place, "'\(name.value)' cannot be included: \(refusal.reason)")
    }
    let number = sources.all.count
    let text: String
    do throws(Diagnostic) {
      text = try SourceText.decoded(bytes)
    } catch {
      throw Diagnostic(.error, name.place, "'\(name.value)' cannot be included: \(error.message)")
    }
    sources.add(SourceText(text), path: path)
    let (scenario, found) = Parser.scenario(in: text, file: number)
    diagnostics.add(found)
    return items(of: scenario, above: above + [path])
  }
}
