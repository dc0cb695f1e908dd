/// The scenarios that the demonstration plays, and what it says of each beforehand.
package struct DemoPlan: Sendable {
  /// The file below `Scenarios/`.
  package let file: String
  /// The folder below `demo-kept/`.
  package let folder: String
  /// What the user did, in a few words.
  package let did: String
  /// What the disk did; `#cases` and `#refused` stand for figures of the run.
  package let diskDid: String

  /// The four of the main job, in order.
  package static let all = [
    DemoPlan(file: "first-strokes.scn", folder: "1-strokes", did: "drew, then left the app", diskDid: "nothing"),
    DemoPlan(
      file: "photo-power-cut.scn", folder: "2-photo", did: "inserted a photo",
      diskDid: "lost power before the page that shows it was written"),
    DemoPlan(
      file: "torn-document.scn", folder: "3-torn-rename", did: "left the app with a change",
      diskDid: "lost power while renaming document.json, in #cases ways"),
    DemoPlan(
      file: "disk-full.scn", folder: "4-disk-full", did: "drew on a full disk",
      diskDid: "refused #refused, later had room again"),
  ]

  /// The control: the photo scenario with a store that never syncs. It must be convicted.
  package static let control = DemoPlan(
    file: "photo-never-synced.scn", folder: "control", did: "drew and inserted a photo",
    diskDid: "lost power after the app said saved")
}
