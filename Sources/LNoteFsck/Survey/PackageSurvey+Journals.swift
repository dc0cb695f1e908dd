import Files
import LNoteFormat

extension PackageSurvey {
  /// The page whose journal has this name, under any spelling; nil for any other name.
  static func journal(_ name: BytePath, in directory: BytePath) -> (id: NoteID, path: BytePath)? {
    guard case .journal(let id) = PackageName.read(name.bytes, in: PackagePaths.folder(directory)) else { return nil }
    return (id, directory.appending(name))
  }

  /// Reads the journals of these names; the pages were read before.
  mutating func surveyJournals(_ names: [(id: NoteID, path: BytePath)]) {
    for (id, path) in names {
      if facts.level == .quick { glanceAtJournal(id, path) } else { surveyJournal(id, path) }
    }
  }

  private mutating func glanceAtJournal(_ id: NoteID, _ path: BytePath) {
    let count = PageLimits.journalHeaderBytes
    guard let found = reader.head(of: path, count: count, bytesMax: SurveyLimits.pageBytesMax) else { return }
    let content = found.answer.map { JournalSurvey.glance($0, size: found.file.size, id: id) }
    facts.journals.append(JournalFacts(id: id, file: found.file, content: content))
  }

  private mutating func surveyJournal(_ id: NoteID, _ path: BytePath) {
    let hint = facts.pages.first { $0.id == id }?.knownGeneration
    let nothing: ContentMemory<OnlyQuestion, JournalSurvey>? = nil
    let found = reader.whole(path, bytesMax: SurveyLimits.pageBytesMax, from: nothing) {
      JournalSurvey($0, id: id, generationHint: hint)
    }
    guard let found else { return }
    guard var survey = found.answer else {
      facts.journals.append(JournalFacts(id: id, file: found.file, content: nil))
      return
    }
    if case .limitExceeded = survey.content.condition {
      let file = FileFacts(
        path: path, status: found.file.status, obstacle: .tooLarge(limit: SurveyLimits.pageBytesMax))
      facts.journals.append(JournalFacts(id: id, file: file, content: nil))
      return
    }
    // Only a page that has changes in its journal is read a second time.
    if survey.content.changes > 0 {
      let page = reader.whole(PackagePaths.page(id), bytesMax: SurveyLimits.pageBytesMax, from: nothing) { bytes in
        var compared = survey
        compared.compare(withPage: bytes)
        return compared
      }
      if let compared = page?.answer { survey = compared }
    }
    facts.journals.append(JournalFacts(id: id, file: found.file, content: survey.content))
  }
}

extension PageFacts {
  /// The generation of the page, from whatever tells it.
  fileprivate var knownGeneration: UInt64? { whole?.generation ?? damagedGeneration }
}
