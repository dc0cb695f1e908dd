import Harness
import Scenarios
import Testing

/// The saves whose syncs, renames and unlinks are altered, and the table of what convicts each alteration.
enum StoreSteps {
  /// From the disks that people have to the weakest; the first that convicts is enough.
  static let models = ["ext4-ordered", "xfs", "btrfs", "posix-weakest"]

  /// The saves of the store, and a cleaning behind a process that was killed before it synced what it had renamed.
  static let saves: [(before: String, steps: String)] =
    StoreCrashProofTests.saves + [
      (
        """
        insert-image p1 size 12KiB as photo
        background
        delete photo
        kill on rename of page p1 { background }
        reopen
        """, "close; reopen; stroke p1 points 9; background"
      )
    ]

  /// Alterations of all steps of one role that nothing convicts, and why that is right.
  struct Harmless {
    let role: String
    let ways: Set<SeamAlteration.Way>
    let reason: String
  }

  /// What is not convicted, with reasons; the table refers to them by letter.
  static let harmless: [Harmless] = [
    Harmless(
      role: "background: fsync of pages/", ways: [.postponed],
      reason: "It passes the making of a temporary file only; it has to come before the rename of document.json."),
    Harmless(
      role: "background: fsync of the package", ways: [.postponed, .swapped],
      // What it harms is held by DurabilityTests of the store.
      reason:
        "It passes a temporary file's making or a page's removal; that harms only who loses document.json as well."),
    Harmless(
      role: "background: rename of manifest.json", ways: [.postponed, .swapped],
      reason:
        "The library's summary may be an older one: the next save, close or repair makes it anew from document.json."
    ),
    Harmless(
      role: "insert-image: fsync of a picture", ways: [.postponed, .swapped],
      reason: "It passes the picture's rename: no page shows the picture before both are done."),
    Harmless(
      role: "insert-image: rename of a picture", ways: [.linked],
      reason: "Nothing stands at a new picture's name that could be missing in between."),
    Harmless(
      role: "insert-image: fsync of assets/", ways: [.postponed],
      reason: "It passes the making of a temporary file only; it has to come before a page that shows the picture."),
    Harmless(
      role: "background: unlink of a page", ways: [.postponed, .swapped, .emptied],
      reason: "document.json says already that the page is deleted: what is left of its file is removed later."),
    Harmless(
      role: "close: unlink of a picture", ways: [.postponed, .swapped, .emptied],
      reason: "No page that may come back shows the picture: what is left of its file is removed later."),
  ]

  /// One step of one save.
  struct Place {
    let save: Int
    let index: Int
    let step: SeamStep
  }

  /// What came of altering the steps of one role in one way.
  struct Cell {
    let role: String
    let way: SeamAlteration.Way
    /// In the order of the saves, up to the first that is convicted.
    let outcomes: [(place: Place, outcome: SeamTrial.Outcome)]

    var convicting: String? { outcomes.last?.outcome.convicting }
  }

  static func trial(of save: Int) throws -> SeamTrial {
    let text = """
      scenario v1 "altered"
      \(StoreCrashProofTests.document)
      \(saves[save].before)
      for each crash in { \(saves[save].steps) }
      \(StoreCrashProofTests.check)

      """
    let reading = ScenarioReading.read(Array(text.utf8), file: "altered.scn", vocabulary: .own)
    return SeamTrial(try #require(reading.scenario, "\(reading.text)"), models: models)
  }

  /// All steps of all saves, in order.
  static func places() throws -> [Place] {
    try saves.indices.flatMap { save in
      try trial(of: save).steps().enumerated().map { Place(save: save, index: $0.offset, step: $0.element) }
    }
  }

  /// Alters these steps, each role in each way that is wanted, until one is convicted.
  static func cells(
    _ places: [Place], where isWanted: (_ role: String, _ way: SeamAlteration.Way) -> Bool = { _, _ in true }
  ) throws -> [Cell] {
    let trials = try saves.indices.map(trial(of:))
    var cells: [Cell] = []
    for role in roles(of: places) {
      let same = places.filter { $0.step.role == role }
      for way in SeamAlteration.Way.allCases where same.contains(where: { way.alters($0.step.kind) }) {
        if !isWanted(role, way) { continue }
        var outcomes: [(Place, SeamTrial.Outcome)] = []
        for place in same where outcomes.last?.1.convicting == nil {
          outcomes.append((place, trials[place.save].outcome(of: SeamAlteration(way, place.index))))
        }
        cells.append(Cell(role: role, way: way, outcomes: outcomes))
      }
    }
    return cells
  }

  /// The roles of these steps, each once, in order.
  static func roles(of places: [Place]) -> [String] {
    places.reduce(into: []) { roles, place in if !roles.contains(place.step.role) { roles.append(place.step.role) } }
  }

  /// The letter of the reason why this alteration is harmless; nil where it is not.
  static func letter(of role: String, _ way: SeamAlteration.Way) -> String? {
    harmless.firstIndex { $0.role == role && $0.ways.contains(way) }.map { letter($0) }
  }

  private static func letter(_ index: Int) -> String { String(UnicodeScalar(UInt8(ascii: "a") + UInt8(index))) }

  // MARK: The table

  /// The table as the page has it: a row for each role, in the order in which they are met, and the reasons below.
  static func table(_ cells: [Cell]) -> String {
    let ways = SeamAlteration.Way.allCases
    var text = "| step | " + ways.map(\.rawValue).joined(separator: " | ") + " |\n"
    text += "|---" + String(repeating: "|---", count: ways.count) + "|\n"
    let roles = cells.reduce(into: [String]()) { if $0.last != $1.role { $0.append($1.role) } }
    for role in roles {
      let words = ways.map { way in cells.first { $0.role == role && $0.way == way }.map(word(for:)) ?? "" }
      text += "| \(role) | " + words.joined(separator: " | ") + " |\n"
    }
    text += "\n"
    for (index, row) in harmless.enumerated() { text += "- (\(letter(index))) \(row.reason)\n" }
    return text
  }

  private static func word(for cell: Cell) -> String {
    cell.convicting ?? letter(of: cell.role, cell.way).map { "(\($0))" } ?? "not convicted"
  }

  /// The roles of the table's rows.
  static func roles(inTable page: String) -> [String] {
    let lines = page.split(separator: "\n").drop { !$0.hasPrefix("| step | dropped ") }
    return lines.dropFirst(2).prefix { $0.hasPrefix("| ") }.compactMap { line in
      line.split(separator: "|").first.map { $0.dropFirst().dropLast().description }
    }
  }
}
