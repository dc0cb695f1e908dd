import JSON

/// The targets of the package, as `swift package dump-package` prints them.
struct Manifest {
  struct Target: Hashable {
    let name: String
    /// "regular", "executable", "test", "system".
    let kind: String
    /// Where its sources are, relative to the package.
    let path: String
    let dependencies: Set<String>
  }

  let targets: [Target]

  init(targets: [Target]) { self.targets = targets }

  /// Nil for a text that is no such dump.
  init?(dump: [UInt8]) {
    guard let value = try? JSONValue.parse(dump), let all = value["targets"]?.array else { return nil }
    targets = all.compactMap { target in
      guard let name = target["name"]?.string, let kind = target["type"]?.string else { return nil }
      let dependencies = (target["dependencies"]?.array ?? []).compactMap { $0["byName"]?.array?.first?.string }
      let path = target["path"]?.string ?? (kind == "test" ? "Tests/\(name)" : "Sources/\(name)")
      return Target(name: name, kind: kind, path: path, dependencies: Set(dependencies))
    }
  }
}

/// What a target may import.
enum ImportRules {
  /// The floor of each target; a target imports only from the floors below its own.
  static let floors: [(floor: Int, targets: [String])] = [
    (0, ["CPosix", "CJPEGLibrary", "CFuse", "CISAL", "CXXHash", "CJansson", "CCairo", "CArchive"]),
    (1, ["CJPEG", "Bytes", "Files", "Options", "JSON", "Processes", "Terminal"]),
    (2, ["FileTracing", "LNoteFormat", "Pages", "Archives", "PropertyTesting"]),
    (3, ["Scenarios", "Rendering", "FaultDisk", "Linting", "Campaigns"]),
    (4, ["CrashModel", "FaultFS", "LNoteStore", "LNoteFsck"]),
    (5, ["Confirming", "Exploring", "Harness"]),
    (6, ["Inventing"]),
    (7, BannedCalls.programs),
  ]

  /// Modules that come with the toolchain.
  static let toolchain: Set<String> = ["Glibc", "Synchronization", "Testing"]

  /// Targets without a floor, and dependencies that do not point down.
  static func floorFindings(_ manifest: Manifest) -> [Finding] {
    let rows = floors.flatMap { row in row.targets.map { ($0, row.floor) } }
    let known = Dictionary(rows, uniquingKeysWith: { first, _ in first })
    let inTests = { (target: Manifest.Target) in target.path.hasPrefix("Tests/") }
    return manifest.targets.filter { !inTests($0) }.flatMap { target -> [Finding] in
      guard let own = known[target.name] else { return [finding("\(target.name) has no floor in ImportRules.floors")] }
      return target.dependencies.sorted().compactMap { dependency in
        guard let other = known[dependency] else { return finding("\(target.name) depends on unknown \(dependency)") }
        return other < own ? nil : finding("\(target.name) (floor \(own)) must not use \(dependency) (floor \(other))")
      }
    }
  }

  /// Rows of the page's table of targets that do not say what the manifest says, and targets without a row.
  static func tableFindings(_ manifest: Manifest, page: String) -> [Finding] {
    let lines = Set(page.split(separator: "\n").map { line in row(line) })
    let targets = manifest.targets.filter { !$0.path.hasPrefix("Tests/") }
    return targets.compactMap { target in
      let floor = floors.first { $0.targets.contains(target.name) }?.floor
      let imports = target.dependencies.isEmpty ? "–" : target.dependencies.sorted().joined(separator: ", ")
      if lines.contains(["\(floor ?? -1)", target.name, imports]) { return nil }
      return finding("the table of targets should say: \(floor ?? -1) | \(target.name) | … | \(imports)")
    }
  }

  /// Floor, name and imports of a row of four columns.
  private static func row(_ line: Substring) -> [String] {
    let cells = line.split(separator: "|").map { cell in
      String(cell.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
    return cells.count == 4 ? [cells[0], cells[1], cells[3]] : []
  }

  /// The fsck shares no code with the store it judges, nor does the store with what breaks its disk.
  static func wallFindings(_ manifest: Manifest) -> [Finding] {
    let walls: [(target: String, without: String)] = [
      ("LNoteFsck", "LNoteStore"), ("LNoteStore", "LNoteFsck"), ("LNoteStore", "FaultDisk"), ("lnote-fsck", "FaultFS"),
      ("lnote-fsck", "FaultDisk"), ("lnote-fsck", "LNoteStore"), ("lnote-driver", "FaultDisk"),
    ]
    return walls.compactMap { wall in
      reach(of: wall.target, in: manifest).contains(wall.without)
        ? finding("\(wall.target) must not reach \(wall.without)") : nil
    }
  }

  private static func reach(of name: String, in manifest: Manifest) -> Set<String> {
    var found: Set<String> = []
    var open = [name]
    while let next = open.popLast() {
      for target in manifest.targets where target.name == next {
        for dependency in target.dependencies where found.insert(dependency).inserted { open.append(dependency) }
      }
    }
    return found
  }

  private static func finding(_ message: String) -> Finding {
    Finding(path: "Package.swift", line: 0, message: message)
  }

  private static let importLine = Pattern(
    #"^\s*(@\w+(\(\w+\))?\s+)*((package|public|internal|private)\s+)?import\s+"#
      + #"((struct|class|enum|protocol|func|var|let|typealias)\s+)?([A-Za-z_]\w*)"#)

  /// Imports that the target's row in the manifest does not declare.
  static func importFindings(_ source: SourceText, of target: Manifest.Target) -> [Finding] {
    source.code.indices.compactMap { index in
      guard let module = module(importedBy: source.code[index]) else { return nil }
      if toolchain.contains(module) || target.dependencies.contains(module) { return nil }
      return source.finding(index, "\(target.name) does not declare \(module) in Package.swift")
    }
  }

  /// Dependencies that no source of the target imports.
  static func unusedFindings(_ sources: [SourceText], of target: Manifest.Target) -> [Finding] {
    let imported = Set(sources.flatMap { $0.code.compactMap { module(importedBy: $0) } })
    return target.dependencies.subtracting(imported).sorted().map {
      finding("\(target.name) declares \($0) and never imports it")
    }
  }

  private static func module(importedBy line: String) -> String? {
    importLine.found(in: line, group: 7).first
  }
}
