import FileTracing
import Files

/// What the names of a scenario mean at one step.
struct NameTable: Sendable {
  /// A document and the pages that it has at this step.
  struct Document: Sendable {
    var value: ScenarioDocument
    var pages: [PageReference]
  }

  var documents: [Document] = []
  /// Strokes and images by their names, the newest of each name.
  var elements: [String: ElementReference] = [:]
  var deletedElements: Set<String> = []
  var remembered: [String] = []
  /// How often each name was given, for identities that never repeat.
  private var counts: [String: Int] = [:]

  /// A new identity for a thing of this kind and name: the same in every run.
  mutating func identity(_ kind: String, _ name: String) -> FixedID {
    let key = "\(kind)/\(name)"
    let count = counts[key, default: 0] + 1
    counts[key] = count
    return FixedID(derivedFrom: count == 1 ? key : "\(key)/\(count)")
  }

  // MARK: Finding

  /// The names of all pages, as a user would write them.
  var pageSpellings: [String] { documents.flatMap(\.pages).map(\.spelling) }

  /// The page that a reference means.
  func page(_ first: String, _ second: String?, at place: SourcePlace) throws(Diagnostic) -> PageReference {
    if let second {
      let document = try document(first, at: place)
      guard let page = document.pages.first(where: { $0.pageName == second }) else {
        let known = document.pages.map(\.pageName)
        throw Diagnostic(
          .error, place, "page '\(second)' does not exist in '\(first)'; \(NameTable.list("pages", known))")
      }
      return page
    }
    let found = documents.flatMap(\.pages).filter { $0.pageName == first }
    guard let page = found.first else { throw missingPage(first, place) }
    guard documents.count == 1 else {
      throw Diagnostic(.error, place, "there are several documents - write '\(page.documentName).\(first)'")
    }
    return page
  }

  /// The document of a name.
  func document(_ name: String, at place: SourcePlace) throws(Diagnostic) -> Document {
    guard let document = documents.first(where: { $0.value.name == name }) else {
      throw Diagnostic(.error, place, "document '\(name)' does not exist here; \(documentList)")
    }
    return document
  }

  private func missingPage(_ name: String, _ place: SourcePlace) -> Diagnostic {
    if let element = elements[name] {
      let kind = element.asset == nil ? "a stroke" : "an image"
      return Diagnostic(.error, place, "'\(name)' is \(kind); a page is needed here; \(pageList)")
    }
    return Diagnostic(.error, place, "page '\(name)' does not exist here; \(pageList)")
  }

  private var pageList: String { NameTable.list("pages", pageSpellings) }
  private var documentList: String { NameTable.list("documents", documents.map(\.value.name)) }

  /// "pages: p1, p2", or "there is none".
  static func list(_ what: String, _ names: [String]) -> String {
    if names.isEmpty { return "there are no \(what)" }
    let shown = names.prefix(10).joined(separator: ", ")
    return "\(what): \(shown)\(names.count > 10 ? ", …" : "")"
  }

  func isPage(_ first: String, _ second: String?) -> Bool {
    documents.contains { document in
      document.pages.contains {
        second == nil ? $0.pageName == first : document.value.name == first && $0.pageName == second
      }
    }
  }

  /// The stroke or image of a name.
  func element(_ name: String, at place: SourcePlace) throws(Diagnostic) -> ElementReference {
    if let element = elements[name] { return element }
    if deletedElements.contains(name) { throw Diagnostic(.error, place, "'\(name)' is deleted above") }
    let known = elements.keys.sorted()
    throw Diagnostic(
      .error, place,
      "no stroke or image is called '\(name)' above; \(NameTable.list("names", known))")
  }

  // MARK: Changing

  mutating func add(_ page: PageReference, at index: Int?) throws(Diagnostic) {
    guard let document = documents.firstIndex(where: { $0.value.name == page.documentName }) else { return }
    documents[document].pages.insert(page, at: index ?? documents[document].pages.count)
  }

  mutating func remove(_ page: PageReference) {
    for index in documents.indices { documents[index].pages.removeAll { $0 == page } }
    for (name, element) in elements where element.page == page {
      elements[name] = nil
      deletedElements.insert(name)
    }
  }

  /// Goes back to the names of then; identities are not given again.
  mutating func forgetNames(since then: NameTable) {
    let counts = self.counts
    self = then
    self.counts = counts
  }

  mutating func name(_ element: ElementReference) {
    guard let name = element.name else { return }
    elements[name] = element
    deletedElements.remove(name)
  }
}

/// Every page and image that a scenario ever has: a fault may name what a later step makes.
struct NameRegistry: Sendable {
  private(set) var pages: [PageReference] = []
  private(set) var images: [ElementReference] = []

  mutating func add(_ page: PageReference) { if !pages.contains(page) { pages.append(page) } }
  mutating func add(_ image: ElementReference) {
    if image.name != nil, !images.contains(image) { images.append(image) }
  }
}
