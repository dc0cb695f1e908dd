import JSON
import LNoteFormat

/// `document.json` while a plan changes it.
struct DocumentEdit {
  private(set) var record: DocumentRecord
  private(set) var isChanged = false
  let stamp: RepairStamp

  init(_ record: DocumentRecord, stamp: RepairStamp) {
    self.record = record
    self.stamp = stamp
  }

  func entry(_ id: NoteID) -> PageEntry? { record.pages.first { $0.id == id } }

  /// The page gets a new file of `elements` elements and this generation, and with it a loss.
  mutating func replacePage(
    _ id: NoteID, generation: UInt64, elements: UInt64, loss: ContentLoss, code: String, lostGeneration: UInt64?
  ) {
    guard let place = record.pages.firstIndex(where: { $0.id == id }) else { return }
    isChanged = true
    var entry = record.pages[place]
    var losses: [RecordedLoss] = []
    var missing: UInt64 = 0
    var isKnown = false
    for old in entry.losses {
      // Of a repair that was cut short before it wrote the page: told anew below, where the page itself tells as much.
      if !old.isAccepted, let lostGeneration, old.generation == entry.generation,
        old.lostGeneration == lostGeneration, lostGeneration < entry.generation
      {
        if !loss.isNothing && loss.elements >= old.elements { continue }
        isKnown = true
      }
      if !old.isAccepted, old.generation == entry.generation {
        missing += old.elements
        losses.append(old.at(generation: generation))
      } else {
        losses.append(old)
      }
    }
    if !loss.isNothing && !isKnown {
      missing += loss.elements
      losses.append(
        recorded(loss, code: code, generation: generation, lostGeneration: lostGeneration ?? entry.generation))
    }
    entry.losses = losses
    entry.generation = generation
    entry.elementCount = elements + missing
    record.pages[place] = entry
  }

  /// An older version of the page came back and gets this generation.
  ///
  /// What earlier repairs recorded stays as it is, also where some of it may be back: nobody has seen that it is. A loss
  /// of this kind that is told already, perhaps by a repair that was cut short, takes what is missing besides.
  mutating func keepOlder(
    _ id: NoteID, generation: UInt64, elements: UInt64, loss: ContentLoss, code: String
  ) {
    guard let place = record.pages.firstIndex(where: { $0.id == id }) else { return }
    let entry = record.pages[place]
    let told = entry.losses.firstIndex { loss in
      !loss.isAccepted && loss.generation == entry.generation && loss.code == code
    }
    if let told { record.pages[place].losses[told].elements += loss.elements }
    let new = told == nil ? loss : ContentLoss()
    replacePage(id, generation: generation, elements: elements, loss: new, code: code, lostGeneration: nil)
  }

  /// The document gets another identity.
  mutating func adopt(_ id: NoteID) {
    isChanged = true
    record.id = id
  }

  /// The record holds every page once already; it is to be written so.
  mutating func dropDoubles() { isChanged = true }

  mutating func setTitle(_ title: String) {
    isChanged = true
    record.title = title
  }

  mutating func setCanvas(of id: NoteID, to canvas: CanvasSize) {
    guard let place = record.pages.firstIndex(where: { $0.id == id }) else { return }
    isChanged = true
    record.pages[place].canvas = canvas
  }

  /// The entry takes over what the page says.
  mutating func correctEntry(_ id: NoteID, from summary: PageSummary) {
    guard let place = record.pages.firstIndex(where: { $0.id == id }) else { return }
    isChanged = true
    record.pages[place].take(summary)
  }

  /// The entry takes over the size of the page, and keeps what it says is missing.
  mutating func correctCanvas(_ id: NoteID, _ canvas: CanvasSize) {
    guard let place = record.pages.firstIndex(where: { $0.id == id }) else { return }
    isChanged = true
    record.pages[place].canvas = canvas
  }

  /// The page holds fewer elements than the entry says.
  mutating func recordFewer(_ id: NoteID, loss: ContentLoss, code: String) {
    guard let place = record.pages.firstIndex(where: { $0.id == id }) else { return }
    isChanged = true
    let generation = record.pages[place].generation
    record.pages[place].losses.append(
      recorded(loss, code: code, generation: generation, lostGeneration: generation))
  }

  /// What the page lost is back: it gets a generation above that of the repair.
  mutating func healPage(_ id: NoteID, generation: UInt64, from summary: PageSummary) {
    guard let place = record.pages.firstIndex(where: { $0.id == id }) else { return }
    isChanged = true
    record.pages[place].take(summary)
    record.pages[place].generation = generation
    record.pages[place].noteHealed(from: summary.generation)
    record.pages[place].losses.removeAll { !$0.isAccepted }
  }

  mutating func append(_ entry: PageEntry) {
    isChanged = true
    record.pages.append(entry)
  }

  /// Lists a page behind another one, and nowhere else.
  mutating func insert(_ entry: PageEntry, behind id: NoteID) {
    isChanged = true
    record.pages.removeAll { $0.id == entry.id }
    let place = record.pages.firstIndex { $0.id == id }
    record.pages.insert(entry, at: place.map { $0 + 1 } ?? record.pages.count)
  }

  mutating func recordAssetLoss(_ id: NoteID, elements: UInt64, code: String) {
    if record.losses.contains(where: { $0.asset == id }) { return }
    isChanged = true
    record.losses.append(
      RecordedLoss(
        at: stamp.at, code: code, elements: elements, stamp: stamp.text, unknown: ["asset": .string("\(id)")]))
  }

  mutating func healAsset(_ id: NoteID) {
    isChanged = true
    record.losses.removeAll { $0.asset == id && !$0.isAccepted }
  }

  /// The record with a generation above every one that is known.
  func finished(above generation: UInt64) -> DocumentRecord {
    var record = record
    record.generation = max(record.generation, generation) + 1
    return record
  }

  private func recorded(
    _ loss: ContentLoss, code: String, generation: UInt64, lostGeneration: UInt64
  ) -> RecordedLoss {
    var details: [String: JSONValue] = [
      "generation": .integer(Int64(clamping: generation)),
      "lostGeneration": .integer(Int64(clamping: lostGeneration)),
    ]
    if loss.samples > 0 { details["samples"] = .integer(Int64(clamping: loss.samples)) }
    return RecordedLoss(at: stamp.at, code: code, elements: loss.elements, stamp: stamp.text, unknown: details)
  }
}

extension PageEntry {
  /// An entry that says what a whole page says.
  init(id: NoteID, _ summary: PageSummary) {
    self.init(
      id: id, canvas: summary.canvas, created: summary.created, modified: summary.modified,
      elementCount: summary.elements, generation: summary.generation)
  }

  mutating func take(_ summary: PageSummary) {
    canvas = summary.canvas
    created = summary.created
    modified = summary.modified
    elementCount = summary.elements
    generation = summary.generation
  }
}
