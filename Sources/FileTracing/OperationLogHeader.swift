import JSON

/// What a log file tells of itself and of the disk, before its first record.
///
///     {"begun":1767225600000000000,"clock":"real","dropped":0,"has-data":true,"has-tree":true,"next-inode":4,
///      "program":"faultfs 0.1","seed":"7"}
package struct OperationLogHeader: Hashable, Sendable {
  /// The program that made it, and its version.
  package var program: String
  /// The seed of the disk's draws.
  package var seed: UInt64
  /// When it was begun, by the disk's clock, nanoseconds since 1970-01-01 UTC.
  package var begun: Int64
  /// The number of the first inode that is made after the set-up records.
  package var nextInode: UInt64
  /// True where the first records, with the number 0, tell the tree with which the log begins.
  package var hasTree: Bool
  /// True where writes have their bytes.
  package var hasData: Bool
  /// How many of the first records were let go before the file was written.
  package var droppedCount: UInt64
  /// Members that belong to the disk's configuration and that this room does not read.
  package var further: [String: JSONValue]

  /// A header of these values.
  package init(
    program: String = "faultfs", seed: UInt64 = 0, begun: Int64 = 0, nextInode: UInt64 = 2, hasTree: Bool = true,
    hasData: Bool = true, droppedCount: UInt64 = 0, further: [String: JSONValue] = [:]
  ) {
    self.program = program
    self.seed = seed
    self.begun = begun
    self.nextInode = nextInode
    self.hasTree = hasTree
    self.hasData = hasData
    self.droppedCount = droppedCount
    self.further = further
  }

  /// A number of the disk's configuration; nil where there is none of this name.
  package func number(_ name: String) -> Int64? { further[name]?.integer }

  /// Tells a number of the disk's configuration; a name of the header's own would be lost.
  package mutating func set(_ name: String, to number: Int64) { further[name] = .integer(number) }

  /// A text of the disk's configuration; nil where there is none of this name.
  package func text(_ name: String) -> String? { further[name]?.string }

  /// Tells a text of the disk's configuration; a name of the header's own would be lost.
  package mutating func set(_ name: String, to text: String) { further[name] = .string(text) }

  /// The text in the file.
  var text: [UInt8] {
    var members = further
    members["program"] = .string(program)
    // As texts: JSON's integers end at 63 bits here.
    members["seed"] = .string(String(seed))
    members["begun"] = .integer(begun)
    members["next-inode"] = .integer(Int64(clamping: nextInode))
    members["has-tree"] = .bool(hasTree)
    members["has-data"] = .bool(hasData)
    members["dropped"] = .integer(Int64(clamping: droppedCount))
    return JSONValue.object(members).serialized()
  }

  /// The header of a text; nil where something is missing.
  init?(text: [UInt8]) {
    guard let members = (try? JSONValue.parse(text))?.object, let program = members["program"]?.string,
      let seed = members["seed"]?.string.flatMap({ UInt64($0) }), let begun = members["begun"]?.integer,
      let nextInode = members["next-inode"]?.integer, let hasTree = members["has-tree"]?.bool,
      let hasData = members["has-data"]?.bool, let dropped = members["dropped"]?.integer, nextInode > 0, dropped >= 0
    else { return nil }
    let own = ["program", "seed", "begun", "next-inode", "has-tree", "has-data", "dropped"]
    self.init(
      program: program, seed: seed, begun: begun, nextInode: UInt64(nextInode), hasTree: hasTree, hasData: hasData,
      droppedCount: UInt64(dropped), further: members.filter { !own.contains($0.key) })
  }
}
