import CrashModel
import Exploring
import FaultDisk
import FileTracing
import Files
import TestSupport
import Testing

@Suite struct HistoryOfNamesTests {
  /// How many states of each relation a replacement by rename has under each model, and what is strange in them.
  private func relations(
    _ model: PersistenceModel, synchronized: Bool
  ) throws -> (found: Set<HistoryOfNames.Relation>, strange: Set<String>) {
    let disk = FaultDisk()
    let volume = disk.volume()
    try volume.make("f", text: "old")
    disk.beginRecording()
    let file = try volume.open("t", for: .creating(permissions: 0o644))
    try volume.writeWhole(file, Array("newer".utf8))
    if synchronized { try volume.synchronize(file) }
    try volume.close(file)
    try volume.rename("t", to: "f")
    let directory = try volume.open(.root, for: .directory)
    try volume.synchronize(directory)
    guard let recording = disk.recording else { throw Errno.einval }
    var reader = PathReader(disk)
    let history = try HistoryOfNames(recording, &reader)
    var found: Set<HistoryOfNames.Relation> = []
    var strange: Set<String> = []
    for state in try CrashExploration(recording, on: disk, model).states {
      let (relation, names) = history.relation(of: reader.values(of: state.tree))
      found.insert(relation)
      for name in names { strange.insert("\(name.path) \(name.words)") }
    }
    return (found, strange)
  }

  @Test func knowsTheFilesThatNeverWere() throws {
    #expect(
      try relations(.ext4Ordered, synchronized: false) == ([.before, .after, .never], ["f is 5 bytes of zeros"]))
    #expect(try relations(.xfs, synchronized: false) == ([.before, .after, .never], ["f is empty"]))
    for model in PersistenceModel.everyday {
      #expect(try relations(model, synchronized: true) == ([.before, .after], []), "\(model.name)")
    }
  }

  static let words: [(value: PathValue, expected: PathValue, words: String)] = [
    (.missing, .directory, "is missing"), (.zeros(size: 0), .missing, "is there, empty"),
    (.zeros(size: 0), .directory, "is empty"), (.zeros(size: 7), .missing, "is 7 bytes of zeros"),
    (.directory, .missing, "is a directory"),
  ]

  @Test(arguments: words) func saysWhatANameStandsFor(value: PathValue, expected: PathValue, words: String) {
    #expect(PathDifference.words(for: value, not: expected) == words)
  }
}
