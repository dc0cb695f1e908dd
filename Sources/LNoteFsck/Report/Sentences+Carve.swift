import Terminal

/// What a search of raw bytes found, in the user's words.
extension Sentences {
  static let carveCancelled = "ended before all was searched and written. Name another folder, and run it again."

  static func carveFailed(_ title: String, _ failure: FileCallFailure) -> String {
    "\"\(title)\" could not be written: \(reason(failure)). A hidden folder beside the others may hold what was begun."
  }

  static func carved(_ item: CarveReport.Item) -> [String] {
    var lines = ["\(carvedPages(item)), \(elements(item.elements, strokesOnly: false))\(images(item))."]
    if item.isMadeUp {
      lines.append("No document that was found lists these pages. Their order is that of the times they were begun.")
    }
    var missing: [String] = []
    if item.pagesMissing > 0 {
      missing.append(
        "\(Figures.counted(item.pagesMissing, "page was", "pages were")) found nowhere: empty in their place")
    }
    if item.pagesInPart > 0 {
      missing.append(
        "\(Figures.counted(item.pagesInPart, "page lies", "pages lie")) in pieces, of which some were not found")
    }
    if item.pagesOlder > 0 {
      missing.append("\(Figures.counted(item.pagesOlder, "page is", "pages are")) an older version")
    }
    if item.imagesMissing > 0 {
      missing.append(
        "\(Figures.counted(item.imagesMissing, "picture was", "pictures were")) found nowhere, or only in pieces")
    }
    if !missing.isEmpty { lines.append("\(missing.joined(separator: "; ")).".capitalisedFirst) }
    if item.loss.elements > 0 {
      lines.append("Known to be missing: \(elements(item.loss.elements, strokesOnly: false)); it says so itself.")
    }
    if !item.codes.isEmpty {
      lines.append("The check of it finds \(Set(item.codes).sorted().joined(separator: ", ")).")
    }
    return lines
  }

  private static func carvedPages(_ item: CarveReport.Item) -> String {
    if item.pagesWhole == item.pages { return "\(Figures.counted(item.pages, "page")), whole" }
    return "\(Figures.grouped(item.pagesWhole)) of \(Figures.counted(item.pages, "page")) whole"
  }

  private static func images(_ item: CarveReport.Item) -> String {
    item.images == 0 ? "" : ", \(Figures.counted(item.images, "picture"))"
  }
}
