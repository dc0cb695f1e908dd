import Files
import JSON
import LNoteFormat
import TestSupport
import Testing

@testable import LNoteFsck

/// Whether a document lies in a folder that a service syncs, and what is said of it.
@Suite struct SyncedFolderTests {
  static let rows:
    [(path: BytePath, marks: [BytePath: [(BytePath, FileKind)]], found: SyncService?, folder: BytePath)] = [
      ("/home/u/Notes/X.lnote", [:], nil, ""),
      (
        "/home/u/Library/Mobile Documents/com~apple~CloudDocs/Notes/X.lnote", [:], .iCloudDrive,
        "/home/u/Library/Mobile Documents/com~apple~CloudDocs"
      ),
      ("/home/u/Library/Mobile Documents/iCloud~x/X.lnote", [:], .iCloudDrive, "/home/u/Library/Mobile Documents"),
      ("/home/u/Dropbox/X.lnote", [:], .dropbox, "/home/u/Dropbox"),
      ("/home/u/Dropbox (Work)/Notes/X.lnote", [:], .dropbox, "/home/u/Dropbox (Work)"),
      ("/home/u/Dropboxes/X.lnote", [:], nil, ""),
      (
        "/home/u/Library/CloudStorage/OneDrive-Personal/X.lnote", [:], .oneDrive,
        "/home/u/Library/CloudStorage/OneDrive-Personal"
      ),
      ("/mnt/c/u/OneDrive - School/X.lnote", [:], .oneDrive, "/mnt/c/u/OneDrive - School"),
      (
        "/home/u/Library/CloudStorage/GoogleDrive-a@b.c/My Drive/X.lnote", [:], .googleDrive,
        "/home/u/Library/CloudStorage/GoogleDrive-a@b.c"
      ),
      // The service's folder has another name, and its mark tells.
      ("/data/box/Notes/X.lnote", ["/data/box": [(".dropbox", .regular)]], .dropbox, "/data/box"),
      // The settings in a user's own folder are no mark.
      ("/home/u/Notes/X.lnote", ["/home/u": [(".dropbox", .directory)]], nil, ""),
      ("/data/cloud/X.lnote", ["/data/cloud": [(".sync_6a1b.db", .regular)]], .nextcloud, "/data/cloud"),
      ("/data/cloud/X.lnote", ["/data/cloud": [(".owncloudsync.log", .regular)]], .nextcloud, "/data/cloud"),
      ("/data/st/a/b/X.lnote", ["/data/st": [(".stfolder", .directory)], "/data": []], .syncthing, "/data/st"),
      // A mark beside the way there says nothing, nor does one in the document.
      (
        "/data/a/X.lnote", ["/data/b": [(".stfolder", .directory)], "/data/a/X.lnote": [(".stfolder", .directory)]],
        nil, ""
      ),
      // The document's own name is none of a service's.
      ("/data/Dropbox", [:], nil, ""),
    ]

  @Test(arguments: rows.indices) func theInnermostFolderTells(_ place: Int) {
    let row = Self.rows[place]
    let found = SyncedFolder.around(row.path) { folder in
      (row.marks[folder] ?? []).map { DirectoryEntry(name: $0.0, kind: $0.1, inode: 1) }
    }
    #expect(found?.service == row.found, "\(row.path)")
    if let found { #expect(found.folder == row.folder) }
  }

  @Test func aRepairInPlaceSaysSoAndOneElsewhereDoesNot() throws {
    let directory = try ProgramTests.folder { try $0.remove(PackagePaths.manifest) }
    let said = "is synced by Syncthing"
    let plain = { (words: [String]) in
      try ProgramTests.run(words, in: directory).text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    #expect(try !plain(["--plan", "Notes"]).contains(said))
    try directory.volume().makeDirectories("Notes/.stfolder")
    for words in [["Notes"], ["-y", "--to", "Copy", "Notes"], ["--plan", "--quarantine", "Q", "Notes"]] {
      #expect(try !plain(words).contains(said), "\(words)")
    }
    #expect(try plain(["--plan", "Notes"]).contains(said))
    let (status, text) = try ProgramTests.run(["-p", "--json", "Notes"], in: directory)
    #expect(status == 1)
    #expect(try JSONLineTests.refused(Array(text.utf8)) == [:])
    let warning = try #require(JSONLines.parse(Array(text.utf8)).first { $0["type"]?.string == "warning" })
    #expect(warning["service"]?.string == "Syncthing")
    #expect(warning["folder"]?.string == directory.path.appending("Notes").description)
    #expect(warning["message"]?.string?.contains("--quarantine") == true)
  }
}
