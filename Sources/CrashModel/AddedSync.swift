import FaultDisk
import FileTracing
import Files

/// An fsync that a program could make, and does not.
package struct AddedSync: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The number of the record that it comes behind.
  package let record: UInt64
  /// The file or directory.
  package let inode: UInt64
  /// Its path then.
  package let path: BytePath

  /// "fsync of pages/p.tmp behind #15"; a directory is synced by a descriptor of its own.
  package var description: String { "fsync of \(path.isRoot ? "the root directory" : "'\(path)'") behind #\(record)" }

  /// Order by place, then by path.
  package static func < (left: AddedSync, right: AddedSync) -> Bool {
    (left.record, left.path, left.inode) < (right.record, right.path, right.inode)
  }
}

extension Recording {
  /// The recording as it were with these syncs. An added record has the number of the one that it follows.
  package func adding(_ syncs: [AddedSync]) -> Recording {
    var result = self
    result.records.removeAll(keepingCapacity: true)
    let byRecord = Dictionary(grouping: syncs.sorted(), by: \.record)
    for record in records {
      result.records.append(record)
      for sync in byRecord[record.number] ?? [] {
        result.records.append(
          OperationRecord(number: record.number, kind: .fsync, path: sync.path, inode: sync.inode))
      }
    }
    return result
  }
}
