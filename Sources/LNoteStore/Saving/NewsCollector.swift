import LNoteFormat

/// Gathers what became durable until the next answer.
struct NewsCollector {
  private var pages: [PageName: UInt64] = [:]
  private var documents: [NoteID: UInt64] = [:]
  private var assets: [DurableAsset] = []

  mutating func add(page: PageName, upTo number: UInt64) { pages[page] = max(number, pages[page] ?? 0) }

  mutating func add(document: NoteID, upTo number: UInt64) {
    documents[document] = max(number, documents[document] ?? 0)
  }

  mutating func add(asset: NoteID, of document: NoteID) {
    assets.append(DurableAsset(document: document, asset: asset))
  }

  /// What was gathered, sorted; nothing is left behind.
  mutating func take() -> DurableNews {
    let news = DurableNews(
      pages: pages.map { DurablePage($0.key, upTo: $0.value) }.sorted { $0.page < $1.page },
      documents: documents.map { DurableDocument($0.key, upTo: $0.value) }.sorted { $0.document < $1.document },
      assets: assets.sorted { ($0.document, $0.asset) < ($1.document, $1.asset) })
    self = NewsCollector()
    return news
  }
}
