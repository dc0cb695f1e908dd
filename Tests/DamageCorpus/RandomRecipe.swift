import LNoteFormat
import TestSupport

/// Draws recipes that suit a document: one to four steps, most of them aimed at its structure.
package struct RandomRecipe {
  private let package: SoundPackage
  private var random: SeededGenerator

  /// Recipes for this document, drawn from the seed.
  package init(for package: SoundPackage, seed: UInt64) {
    self.package = package
    random = SeededGenerator(seed: seed)
  }

  /// The damage of a seed: eight in a row are of one document.
  package static func damage(seed: UInt64) -> (recipe: Recipe, stage: DamageStage) {
    var recipes = RandomRecipe(for: SoundPackage(drawn: seed / 8), seed: seed)
    return recipes.next()
  }

  /// The damaged document and the steps that could be done; those that could not are left out.
  package mutating func next() -> (recipe: Recipe, stage: DamageStage) {
    var stage = DamageStage(package, seed: random.next())
    var done: [[String]] = []
    let wanted = Int.random(in: 1...4, using: &random)
    for _ in 0..<32 where done.count < wanted {
      let step = step(on: stage)
      var tried = stage
      if (try? tried.follow(Recipe(steps: [step]))) != nil {
        stage = tried
        done.append(step)
      }
    }
    return (Recipe(steps: done), stage)
  }

  /// The damage of a seed on a document that has journals, most of them on pages damaged since.
  package static func damageBesideJournals(seed: UInt64) -> (recipe: Recipe, stage: DamageStage) {
    var recipes = RandomRecipe(for: SoundPackage(drawn: seed / 8), seed: seed)
    var stage = DamageStage(recipes.package, seed: recipes.random.next())
    var done: [[String]] = []
    for number in 0..<5 {
      let step = number < 2 ? recipes.journalStep() : recipes.stepBesideJournal(on: stage)
      var tried = stage
      if (try? tried.follow(Recipe(steps: [step]))) != nil {
        stage = tried
        done.append(step)
      }
    }
    return (Recipe(steps: done), stage)
  }

  private mutating func journalStep() -> [String] {
    let kinds = ["add", "add", "add", "remove", "replace", "picture1", "again", "gone", "new"]
    let base = below(3) == 0 ? [pick(["base+1", "base-1", "other"]) ?? ""] : []
    return ["journal", page()] + base + (0..<below(4)).map { _ in pick(kinds) ?? "" }
  }

  private mutating func stepBesideJournal(on stage: DamageStage) -> [String] {
    if below(3) > 0 { return step(on: stage) }
    let journal = "journal\(1 + below(package.pages.count))"
    let bytes = stage.bytes(journal) ?? []
    switch below(5) {
    case 0:
      return [
        "field", journal, pick(PageLayout.names(in: bytes)) ?? "", pick(DamageVerb.allCases)?.rawValue ?? "",
        pick(["raw", "sealed"]) ?? "",
      ]
    case 1: return ["cut", journal, "\(below(bytes.count))"]
    case 2: return ["grow", journal, "\(1 + below(600))", pick(["zeros", "noise"]) ?? ""]
    case 3: return ["rename", journal, "journal\(1 + below(package.pages.count))"]
    default: return ["flip", journal, "\(below(bytes.count))", "\(below(8))"]
    }
  }

  private mutating func step(on stage: DamageStage) -> [String] {
    switch Int.random(in: 0..<12, using: &random) {
    case 0, 1: fieldStep(on: stage)
    case 2: frameStep(on: stage)
    case 3, 4: memberStep(on: stage)
    case 5: recordStep()
    case 6: versionStep()
    case 7: placeStep()
    case 8: kindStep()
    default: byteStep(on: stage)
    }
  }

  // MARK: Kinds of steps

  private mutating func fieldStep(on stage: DamageStage) -> [String] {
    let page = page()
    let names = stage.bytes(page).map { PageLayout.names(in: $0) } ?? []
    return [
      "field", page, pick(names) ?? "", pick(DamageVerb.allCases)?.rawValue ?? "",
      pick(["raw", "header", "sealed"]) ?? "",
    ]
  }

  private mutating func frameStep(on stage: DamageStage) -> [String] {
    let page = page()
    let count = stage.bytes(page).map { PageLayout.frames(in: $0).count } ?? 0
    let (first, second) = (1 + below(count), 1 + below(count))
    let seal = pick(["raw", "sealed"]) ?? ""
    switch below(4) {
    case 0: return ["drop-frame", page, "\(first)", seal]
    case 1: return ["double-frame", page, "\(first)", seal]
    case 2: return ["exchange-frames", page, "\(min(first, second))", "\(max(first, second))", seal]
    default: return ["splice", page, self.page(), "\(first)"]
    }
  }

  private mutating func memberStep(on stage: DamageStage) -> [String] {
    let file = pick(["document", "document", "manifest"]) ?? ""
    let members = stage.bytes(file).map { RecordDamage.members(of: $0) } ?? []
    let seal = pick(RecordDamage.Seal.allCases)?.rawValue ?? ""
    return ["member", file, pick(members) ?? "", pick(RecordDamage.verbs) ?? "", seal]
  }

  private mutating func recordStep() -> [String] {
    switch below(6) {
    case 0: return ["unlist", page()]
    case 1: return ["deleted", page(), "\(generation() + UInt64(below(3)) - 1)"]
    case 2: return ["loss", page(), "\(below(5))", "\(generation() + 1)"] + (below(2) == 0 ? ["accepted"] : [])
    case 3: return ["loss", "asset\(1 + below(package.assets.count))", "1", "5"]
    case 4: return ["list", pick(["free1", page()]) ?? "", "\(below(9))", "\(below(5))"]
    default: return ["raise", "\(1 + below(3))"]
    }
  }

  private mutating func versionStep() -> [String] {
    let page = page()
    let elements = package.pages.isEmpty ? 0 : below(package.pages[0].elements.count + 2)
    let version = "\(generation() + UInt64(below(5)) - 2)"
    return ["version", page + (below(2) == 0 ? "~" : ""), version] + (below(2) == 0 ? ["\(elements)"] : [])
  }

  private mutating func placeStep() -> [String] {
    let (from, to) = (file(), file())
    switch below(7) {
    case 0: return ["exchange", from, to]
    case 1: return ["copy", from, to]
    case 2: return ["rename", from, to]
    case 3: return ["copy", from, from + "~"]
    case 4: return ["rename", from, from + "~"]
    case 5: return ["as", page(), pick(["free1", page()]) ?? ""]
    default:
      return ["copy", from, pick(["pages/.dat.nosync6036.OIpg7h", "assets/SCF.1f.tmp.a1b2c3", "lost.bin"]) ?? ""]
    }
  }

  private mutating func kindStep() -> [String] {
    switch below(5) {
    case 0: return ["lower", file()]
    case 1: return ["link", file(), pick(["pages/second.content", "assets/second.jpg", "second"]) ?? ""]
    case 2: return ["make", pick(["fifo", "socket", "device", "link", "folder"]) ?? "", file()]
    case 3: return ["write", pick([".DS_Store", "pages/notes.txt", "assets/free", "manifest.json"]) ?? "", "words"]
    default: return ["remove", pick(["pages", "assets", "thumbnails", file(), file(), file()]) ?? ""]
    }
  }

  private mutating func byteStep(on stage: DamageStage) -> [String] {
    let file = file()
    let count = stage.bytes(file)?.count ?? 0
    let place = "\(below(count))"
    switch below(12) {
    case 0, 1, 2: return ["flip", file, place, "\(below(8))"]
    case 3: return ["cut", file, place]
    case 4: return ["zero", file, "\(below(count) / 512 * 512)", "512"]
    case 5: return ["noise", file, place, "\(1 + below(40))"]
    case 6: return ["insert", file, place, pick(["00", "FF", "0A", "89504E47"]) ?? ""]
    case 7: return ["delete", file, place, "\(1 + below(30))"]
    case 8: return ["grow", file, "\(1 + below(600))", pick(["zeros", "noise"]) ?? ""]
    case 9: return [pick(["empty", "nul"]) ?? "", file]
    case 10: return [pick(["seven-bit", "text-mode"]) ?? "", file]
    default: return ["remove", file]
    }
  }

  // MARK: Parts

  private mutating func page() -> String { "page\(1 + below(package.pages.count))" }

  private mutating func generation() -> UInt64 { (package.pages.first?.generation ?? 5) + 1 }

  private mutating func file() -> String {
    switch below(10) {
    case 0, 1: "document"
    case 2: "manifest"
    case 3, 4: "asset\(1 + below(package.assets.count))"
    case 5: "thumbnail\(1 + below(package.pages.count))"
    case 6: pick(["free1", "free1.jpg"]) ?? ""
    default: page()
    }
  }

  private mutating func below(_ count: Int) -> Int { count > 0 ? Int.random(in: 0..<count, using: &random) : 0 }

  private mutating func pick<Value>(_ values: [Value]) -> Value? {
    values.isEmpty ? nil : values[below(values.count)]
  }
}
