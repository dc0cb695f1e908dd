extension Checker {
  mutating func apply(_ setting: Setting) throws(Diagnostic) {
    switch setting.kind {
    case .store(let words):
      try apply(stores: words)
    case .model(let words): for word in words { try apply(model: word) }
    case .autosave(let time):
      settings.autosaveMilliseconds = try environment.duration(time, "the autosave's delay")
    case .seed(let word):
      guard let seed = UInt64(word.value) else { throw Diagnostic(.error, word.place, "the seed is too large") }
      settings.seed = seed
    case .durability(let words):
      settings.durabilities = words.compactMap { ScenarioSettings.Durability(rawValue: $0.value) }
      if Set(words.map(\.value)).count < words.count {
        throw Diagnostic(.error, setting.place, "a durability is given twice")
      }
    case .budget:
      throw Diagnostic(.warning, setting.place, "'budget' does nothing here: nothing in this file is random")
    case .tags(let words): settings.tags += words.map(\.value)
    case .issue(let text): settings.issue = text
    case .knownFailing(let issue): settings.knownFailing = issue
    case .command: throw Diagnostic(.error, setting.place, Checker.onlyExternal)
    case .mutant(let word):
      guard vocabulary.mutants.contains(word.value) else {
        let near = Spelling.suggestion(for: word.value, among: vocabulary.mutants)
        let list = near.isEmpty ? "; \(NameTable.list("mutants", vocabulary.mutants))" : near
        throw Diagnostic(.error, word.place, "unknown mutant '\(word.value)'\(list)")
      }
      settings.mutant = word.value
    case .thumbnails(let word): settings.drawsThumbnails = word.value == "on"
    }
  }

  /// Stores that this version has are run; others, beside one that runs, are left out, which the report says.
  private mutating func apply(stores words: [Word]) throws(Diagnostic) {
    for (place, word) in words.enumerated() where words[..<place].contains(where: { $0.value == word.value }) {
      throw Diagnostic(.error, word.place, "store '\(word.value)' is given twice")
    }
    let runs = words.filter { Checker.storesThatRun.contains($0.value) }
    if runs.isEmpty, let word = words.first {
      throw Diagnostic(
        .notYet, word.place, "store '\(word.value)' comes with a later version; in this one 'snapshot' runs")
    }
    settings.stores = runs.map(\.value)
    settings.storesLeftOut = words.map(\.value).filter { !Checker.storesThatRun.contains($0) }
  }

  /// What is said of words that are about another program.
  static let onlyExternal = "this is about another program - write 'store external' above"

  /// The engines that this version has.
  static let storesThatRun = ["snapshot"]

  /// What a power cut outside of a sweep leaves.
  static let modelOfCuts = "posix-weakest"

  private mutating func apply(model word: Word) throws(Diagnostic) {
    let known = vocabulary.models
    guard known.contains(word.value) else {
      let near = Spelling.suggestion(for: word.value, among: known)
      let list = near.isEmpty ? "; models: \(known.joined(separator: ", "))" : near
      throw Diagnostic(.error, word.place, "unknown model '\(word.value)'\(list)")
    }
    if settings.models.contains(word.value) {
      throw Diagnostic(.error, word.place, "model '\(word.value)' is given twice")
    }
    settings.models.append(word.value)
  }

  // MARK: Parameters and definitions

  mutating func readParameters(_ scenario: Scenario, _ overrides: [(name: String, value: String)]) {
    for case .parameter(let parameter) in scenario.items {
      attempt { (checker: inout Checker) throws(Diagnostic) in
        if checker.environment.variables[parameter.name.value] != nil {
          throw Diagnostic(.error, parameter.name.place, "'\(parameter.name.value)' is set above")
        }
        checker.environment.variables[parameter.name.value] = try checker.environment.scalar(parameter.value)
      }
    }
    for override in overrides { apply(override) }
  }

  private mutating func apply(_ override: (name: String, value: String)) {
    let nowhere = SourcePlace(line: 0, column: 0, length: 0)
    guard let present = environment.variables[override.name] else {
      let known = environment.variables.keys.sorted()
      let text = "-D \(override.name): there is no such parameter; \(NameTable.list("parameters", known))"
      return diagnostics.add(.error, nowhere, text)
    }
    guard let value = Parser.scalar(in: override.value) else {
      let text = "-D \(override.name): '\(override.value)' is not a number, size, duration, name or \"text\""
      return diagnostics.add(.error, nowhere, text)
    }
    guard value.kind == present.kind else {
      let text = "-D \(override.name): '\(override.value)' is \(value.kind); the file has \(present.kind) there"
      return diagnostics.add(.error, nowhere, text)
    }
    environment.variables[override.name] = value
  }

  mutating func readDefinitions(_ scenario: Scenario) {
    for case .definition(let definition) in scenario.items {
      let name = definition.name
      if definitions[name.value] != nil { diagnostics.add(.error, name.place, "'\(name.value)' is defined above") }
      var seen: Set<String> = []
      for parameter in definition.parameters where !seen.insert(parameter.value).inserted {
        diagnostics.add(.error, parameter.place, "'\(parameter.value)' is named twice")
      }
      definitions[name.value] = definition
    }
  }

  // MARK: Documents

  /// How much a document may hold when a scenario begins, and a page.
  static let pagesMax = 10_000
  static let strokesMax = 100_000
  static let pointsMax = 1_000_000
  static let imagesMax = 1000
  /// A page without a size: an 11-inch tablet upright.
  static let canvasDefault = (width: Int32(8340), height: Int32(11940))
  static let pointsDefault = 50

  mutating func add(_ syntax: DocumentSyntax) throws(Diagnostic) {
    let name = syntax.alias?.value ?? Parser.nameLike(syntax.title.value)
    if names.documents.contains(where: { $0.value.name == name }) {
      throw Diagnostic(
        .error, syntax.title.place, "there is a document '\(name)' already - write 'document … as NAME'")
    }
    if syntax.pages.count > Checker.pagesMax {
      throw Diagnostic(.error, syntax.title.place, "a document has at most \(Checker.pagesMax) pages")
    }
    let id = names.identity("document", name)
    var document = ScenarioDocument(name: name, title: syntax.title.value, id: id, pages: [])
    for page in syntax.pages {
      if document.pages.contains(where: { $0.reference.pageName == page.name.value }) {
        diagnostics.add(.error, page.name.place, "there is a page '\(page.name.value)' already")
        continue
      }
      if let page = attempt({ (checker: inout Checker) throws(Diagnostic) in try checker.page(page, document) }) {
        document.pages.append(page)
      }
    }
    names.documents.append(.init(value: document, pages: document.pages.map(\.reference)))
    respellPages()
  }

  /// With several documents a page is called by both names.
  private mutating func respellPages() {
    guard names.documents.count > 1 else { return }
    for index in names.documents.indices {
      var document = names.documents[index]
      for place in document.value.pages.indices {
        let reference = document.value.pages[place].reference
        document.value.pages[place].reference.spelling = "\(reference.documentName).\(reference.pageName)"
      }
      document.pages = document.value.pages.map(\.reference)
      names.documents[index] = document
    }
    made = NameRegistry()
    for page in names.documents.flatMap(\.pages) { made.add(page) }
  }

  private mutating func page(_ syntax: PageSyntax, _ document: ScenarioDocument) throws(Diagnostic) -> ScenarioPage {
    let strokes = try syntax.strokes.map { (number) throws(Diagnostic) in
      try environment.whole(number, "the number of strokes", in: 0...Checker.strokesMax)
    }
    let points = try syntax.points.map { (number) throws(Diagnostic) in
      try environment.whole(number, "the number of points", in: 1...Checker.pointsMax)
    }
    let images = try syntax.images.map { (number) throws(Diagnostic) in
      try environment.whole(number, "the number of images", in: 0...Checker.imagesMax)
    }
    let reference = newPage(syntax.name.value, in: document, isOneOfSeveral: !names.documents.isEmpty)
    return Checker.page(
      reference, syntax.canvas, strokes: strokes ?? 0, points: points ?? Checker.pointsDefault, images: images ?? 0)
  }

  mutating func newPage(_ name: String, in document: ScenarioDocument, isOneOfSeveral: Bool) -> PageReference {
    let page = PageReference(
      documentName: document.name, document: document.id, pageName: name,
      page: names.identity("page/\(document.name)", name),
      spelling: isOneOfSeveral ? "\(document.name).\(name)" : name)
    made.add(page)
    return page
  }

  static func page(
    _ reference: PageReference, _ canvas: CanvasSyntax?, strokes: Int = 0, points: Int = pointsDefault, images: Int = 0
  ) -> ScenarioPage {
    ScenarioPage(
      reference: reference, widthDeciPoints: canvas.map { Int32($0.width * 10) } ?? canvasDefault.width,
      heightDeciPoints: canvas.map { Int32($0.height * 10) } ?? canvasDefault.height, strokes: strokes,
      pointsPerStroke: points, images: images)
  }
}
