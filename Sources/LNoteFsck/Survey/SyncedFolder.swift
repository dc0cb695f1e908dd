import Files

/// A service that keeps a folder the same on several devices.
package enum SyncService: String, CaseIterable, Sendable {
  case iCloudDrive = "iCloud Drive"
  case dropbox = "Dropbox"
  case oneDrive = "OneDrive"
  case googleDrive = "Google Drive"
  case nextcloud = "Nextcloud or ownCloud"
  case syncthing = "Syncthing"

  /// The service whose folder has this name wherever it is installed; nil for any other name.
  init?(folderNamed name: BytePath) {
    guard let text = name.exactText else { return nil }
    switch text {
    case "Mobile Documents", "com~apple~CloudDocs", "iCloud Drive", "iCloudDrive": self = .iCloudDrive
    case "Dropbox",
      _ where text.hasPrefix("Dropbox (") || text.hasPrefix("Dropbox-"):
      self = .dropbox
    case "OneDrive",
      _ where text.hasPrefix("OneDrive - ") || text.hasPrefix("OneDrive-"):
      self = .oneDrive
    case "Google Drive", "GoogleDrive",
      _ where text.hasPrefix("GoogleDrive-"):
      self = .googleDrive
    default: return nil
    }
  }

  /// The service that leaves this in the folder that it syncs; nil for anything else.
  init?(mark: DirectoryEntry) {
    let name = mark.name
    switch (name, mark.kind) {
    // In a user's own folder it is a folder, and holds the settings.
    case (".dropbox", .regular), (".dropbox.cache", .directory): self = .dropbox
    case (".stfolder", _): self = .syncthing
    case (".owncloudsync.log", _), (".nextcloudsync.log", _): self = .nextcloud
    case (".tmp.drivedownload", _), (".tmp.driveupload", _): self = .googleDrive
    case _ where name.hasSuffix(".db") && (name.hasPrefix(".sync_") || name.hasPrefix("._sync_")): self = .nextcloud
    default: return nil
    }
  }
}

/// A folder that a service syncs, and in which something is to be changed.
package struct SyncedFolder: Hashable, Sendable {
  /// The service.
  package let service: SyncService
  /// The folder, links resolved.
  package let folder: BytePath

  /// The innermost such folder around `path`, which is absolute; nil where nothing tells of one.
  ///
  /// - Parameter entries: what a folder holds; nothing where that cannot be read.
  package static func around(_ path: BytePath, entries: (BytePath) -> [DirectoryEntry]) -> SyncedFolder? {
    var folder = path.parent
    while !folder.isRoot && folder != "/" {
      if let service = SyncService(folderNamed: folder.name)
        ?? entries(folder).lazy.compactMap({ SyncService(mark: $0) }).first
      {
        return SyncedFolder(service: service, folder: folder)
      }
      folder = folder.parent
    }
    return nil
  }
}
