import Files
import LNoteFormat
import TestSupport

/// A sound document on its way to a damaged one.
package struct DamageStage: Sendable {
  /// The document as it was.
  package let package: SoundPackage
  /// The library as it is now.
  package var tree: PackageTree
  /// What the program meets when it runs.
  package internal(set) var surroundings: [Surrounding] = []
  var random: SeededGenerator

  /// What is not in the files.
  package enum Surrounding: Hashable, Sendable {
    /// Calls of this kind on this name fail.
    case failing(call: String, name: String, errno: String)
    /// Another program has the document open.
    case isOpen
    /// So many bytes are free.
    case space(UInt64)
    /// Somebody changes the pages all the time.
    case restless
    /// The library is in a tar of this name, of which so many parts in a hundred are there.
    case packed(name: String, percent: Int)
  }

  /// The document, to be damaged with luck of this seed.
  package init(_ package: SoundPackage, seed: UInt64 = 1) {
    self.package = package
    tree = package.tree
    random = SeededGenerator(seed: seed)
  }

  /// Identities that no page and no image has.
  package static let free = (1...3).map { NoteID(high: 0xF0F0_0000_0000_4000, low: 0x8000_0000_0000_0000 + UInt64($0)) }

  /// Follows a recipe.
  ///
  /// - Throws: the first step that cannot be done.
  package mutating func follow(_ recipe: Recipe) throws(RecipeError) {
    for step in recipe.steps {
      guard let verb = DamageStage.verbs[step[0]] else { throw RecipeError(description: "no verb \(step[0])") }
      guard verb(&self, Array(step.dropFirst())) else {
        throw RecipeError(description: "cannot be done: \(step.joined(separator: " "))")
      }
    }
  }

  // MARK: Names

  /// The path of a file by its name in recipes.
  ///
  /// "page1", "journal1", "asset1", "thumbnail1" and so on, "free1" for a page and "free1.jpg" for an image that nobody knows,
  /// "document", "manifest", "package"; "page1~" for a temporary file of it; "lib:x" for a name in the library, where "<id>" is
  /// the identity of the document; anything
  /// else is a name in the package.
  package func path(of word: String) -> BytePath? {
    if word.hasSuffix("~") {
      guard let target = path(of: String(word.dropLast())) else { return nil }
      return BytePath(PackageNames.temporary(for: target.description, number: 1))
    }
    if word.hasPrefix("lib:") {
      return BytePath(String(word.dropFirst(4)).replacing("<id>", with: "\(package.document.id)"))
    }
    if let id = identity(of: word) {
      if word.hasPrefix("journal") { return package.path(PackageNames.journal(id)) }
      let inside = word.hasPrefix("asset") || word.hasSuffix(".jpg") ? PackageNames.asset(id) : PackageNames.page(id)
      return package.path(word.hasPrefix("thumbnail") ? PackageNames.thumbnail(id) : inside)
    }
    if word.last?.isNumber == true,
      ["page", "journal", "asset", "thumbnail"].contains(where: { word == $0 + word.suffix(1) })
    {
      return nil
    }
    switch word {
    case "package": return package.name
    case "document": return package.path(PackageNames.document)
    case "manifest": return package.path(PackageNames.manifest)
    default: return package.path(word)
    }
  }

  /// The identity that a name stands for; nil for other names.
  package func identity(of word: String) -> NoteID? {
    for (kind, ids) in [
      ("page", package.pages.map(\.id)), ("journal", package.pages.map(\.id)), ("thumbnail", package.pages.map(\.id)),
      ("asset", package.assets.map(\.id)),
      ("free", DamageStage.free),
    ] where word.hasPrefix(kind) {
      let rest = word.dropFirst(kind.count)
      let digits = kind == "free" && rest.hasSuffix(".jpg") ? rest.dropLast(4) : rest
      if let number = Int(digits), ids.indices.contains(number - 1) { return ids[number - 1] }
    }
    return nil
  }

  /// The number of a page by its name.
  func number(of word: String) -> Int? {
    guard word.hasPrefix("page"), let number = Int(word.dropFirst(4)), package.pages.indices.contains(number - 1) else {
      return nil
    }
    return number - 1
  }

  /// A text with names in the place of identities, for whoever reads it.
  package func named(_ text: String) -> String {
    var text = text
    for (place, page) in package.pages.enumerated() { text = text.replacing("\(page.id)", with: "<page\(place + 1)>") }
    for (place, asset) in package.assets.enumerated() {
      text = text.replacing("\(asset.id)", with: "<asset\(place + 1)>")
    }
    for (place, id) in DamageStage.free.enumerated() { text = text.replacing("\(id)", with: "<free\(place + 1)>") }
    return text.replacing("\(package.document.id)", with: "<id>")
  }

  // MARK: Means of the verbs

  func bytes(_ word: String) -> [UInt8]? { path(of: word).flatMap { tree.bytes(at: $0) } }

  /// Changes the bytes of a file; false where there is none.
  mutating func edit(_ word: String, _ change: (inout [UInt8], inout SeededGenerator) -> Bool) -> Bool {
    guard let path = path(of: word), var bytes = tree.bytes(at: path) else { return false }
    guard change(&bytes, &random) else { return false }
    tree.put(.file(bytes), at: path)
    return true
  }

  /// A place in a file: a number, one from the end, "50%", or a field with a number behind it.
  func offset(_ word: String, in bytes: [UInt8]) -> Int? {
    if word.hasSuffix("%") { return Int(word.dropLast()).map { bytes.count * $0 / 100 } }
    if let number = Int(word) { return number < 0 ? max(0, bytes.count + number) : min(number, bytes.count) }
    let parts = word.split(separator: "+")
    guard let field = PageLayout.place(of: String(parts[0]), in: bytes) else { return nil }
    return min(bytes.count, field.lowerBound + (parts.count > 1 ? Int(parts[1]) ?? 0 : 0))
  }
}
