import Files
import LNoteFormat
import Terminal

/// Files that iCloud keeps on its servers: LN1301, one finding for all of them. They are neither missing nor damaged.
enum AbsentCheck {
  static func problems(in view: PackageView) -> [Problem] {
    let absent = view.facts.absent
    if absent.isEmpty { return [] }
    let pages = view.entries.filter { view.isAbsent(PackagePaths.page($0.id)) }
    let numbers = pages.compactMap { view.place($0.id).number }
    let images = view.uses.keys.sorted().filter { view.isAbsent(PackagePaths.asset($0)) }
    let known = Set(pages.map { PackagePaths.page($0.id) } + images.map { PackagePaths.asset($0) })
    let others = absent.filter { !known.contains($0) }
    var what: [String] = []
    var places: [String] = []
    if !numbers.isEmpty {
      what.append(Sentences.pages(numbers.count, of: view.entries.count))
      places.append(Sentences.pageNumbers(numbers))
    }
    if !images.isEmpty {
      what.append(Figures.counted(images.count, "image"))
      let pages = images.flatMap { view.uses[$0] ?? [] }.sorted { ($0.page.number ?? 0) < ($1.page.number ?? 0) }
      places.append("\(images.count == 1 ? "the image" : "the images") on \(Sentences.onPages(pages))")
    }
    if !others.isEmpty {
      what.append(Figures.counted(others.count, what.isEmpty ? "file" : "other file"))
      places.append(Sentences.some(others))
    }
    let verb = absent.count == 1 ? "is" : "are"
    var problem = Problem(
      .notDownloaded, evidence: "\(absent.count) files named .<name>.icloud",
      slots: ["what": "\(Sentences.list(what)) \(verb)", "places": places.joined(separator: ", and ")])
    let rest = view.entries.filter { !view.isAbsent(PackagePaths.page($0.id)) }
    if !rest.isEmpty && rest.allSatisfy({ view.page($0.id)?.whole != nil }) {
      problem.details = [numbers.isEmpty ? Sentences.allAreWhole(rest.count) : Sentences.othersAreWhole(rest.count)]
    }
    return [problem]
  }
}
