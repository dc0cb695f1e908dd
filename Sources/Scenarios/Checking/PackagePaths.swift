import FileTracing
import Files

/// Which paths on the volume a role means: the file of that name, and the temporary file on its way to it.
enum PackagePaths {
  /// `<UUID>.lnote`.
  static func package(_ document: FixedID) -> String { "\(document).lnote" }

  /// The patterns of a file in a package, with its temporary files.
  static func patterns(_ document: FixedID, folder: String, name: String) -> [NamePattern] {
    let directory = package(document) + "/" + folder
    return [NamePattern(BytePath(directory + name)), NamePattern(BytePath("\(directory).\(name).*.tmp"))]
  }

  static func documentFile(_ document: FixedID) -> [NamePattern] {
    patterns(document, folder: "", name: "document.json")
  }

  static func manifest(_ document: FixedID) -> [NamePattern] {
    patterns(document, folder: "", name: "manifest.json")
  }

  static func page(_ page: PageReference) -> [NamePattern] {
    patterns(page.document, folder: "pages/", name: "\(page.page).content")
  }

  static func thumbnail(_ page: PageReference) -> [NamePattern] {
    patterns(page.document, folder: "thumbnails/", name: "\(page.page).jpg")
  }

  static func image(_ image: ElementReference) -> [NamePattern] {
    guard let asset = image.asset else { return [] }
    return patterns(image.page.document, folder: "assets/", name: "\(asset).jpg")
  }

  /// A glob of the scenario, which is relative to a package, for one package.
  static func glob(_ text: String, _ document: FixedID) -> NamePattern {
    NamePattern(BytePath(package(document) + "/" + text))
  }
}
