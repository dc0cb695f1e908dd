import CrashModel

/// A file system of the running kernel that can be crashed, and how it is made and mounted for a model.
package struct CrashableFileSystem: Hashable, Sendable {
  /// The name of the model that it is made for.
  let name: String
  /// The name by which the kernel knows it.
  let type: String
  /// What makes it, without the device.
  let making: [String]
  /// Options of the mount, each with its value; nil for a flag.
  let options: [Option]
  /// The size of the smallest disk.
  let bytesMin: UInt64

  struct Option: Hashable, Sendable {
    let name: String
    let value: String?

    init(_ name: String, _ value: String? = nil) {
      self.name = name
      self.value = value
    }
  }

  /// The file system that a model describes.
  ///
  /// Nil for a model that describes none, or one that cannot be shut down.
  package init?(_ model: PersistenceModel) {
    guard let row = Self.rows.first(where: { $0.name == model.name }) else { return nil }
    self = row
  }

  /// The names of the models that have one.
  package static let modelNames = rows.map(\.name)

  private static let rows = [
    ext4("ext4-journal", [Option("data", "journal")]),
    ext4("ext4-nodelalloc", [Option("nodelalloc")]),
    ext4("ext4-ordered", []),
    ext4("ext4-fast-commit", [], features: "fast_commit"),
    ext4("ext4-noauto", [Option("noauto_da_alloc")]),
    ext4("ext4-writeback", [Option("data", "writeback")]),
    ext4("ext4-wb-nodelalloc", [Option("data", "writeback"), Option("nodelalloc")]),
    CrashableFileSystem("xfs", type: "xfs", making: ["mkfs.xfs", "-q", "-f"], options: [], bytesMin: 320 << 20),
  ]

  private init(_ name: String, type: String, making: [String], options: [Option], bytesMin: UInt64) {
    self.name = name
    self.type = type
    self.making = making
    self.options = options
    self.bytesMin = bytesMin
  }

  private static func ext4(
    _ name: String, _ options: [Option], features: String = "^fast_commit"
  ) -> CrashableFileSystem {
    CrashableFileSystem(
      name, type: "ext4", making: ["mkfs.ext4", "-q", "-F", "-b", "4096", "-O", features], options: options,
      bytesMin: 64 << 20)
  }
}
