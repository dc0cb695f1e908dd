import Files

extension FaultVolume {
  /// The names of the extended attributes, sorted by bytes.
  package func extendedAttributeNames(of file: OpenFile) throws(FileCallError) -> [BytePath] {
    try call("listxattr", on: file) { engine, caller throws(Errno) in
      try engine.extendedAttributeNames(
        of: engine.handles.handle(file.handle, volume: caller.volume).inode.number, caller)
    }
  }

  /// The value of an extended attribute; ENODATA where there is none.
  package func extendedAttribute(_ name: BytePath, of file: OpenFile) throws(FileCallError) -> [UInt8] {
    try call("getxattr", on: file) { engine, caller throws(Errno) in
      let inode = try engine.handles.handle(file.handle, volume: caller.volume).inode
      return try engine.extendedAttribute(name, of: inode.number, caller)
    }
  }

  /// Sets an extended attribute; ENOTSUP where the name has none of the prefixes that the disk knows.
  package func setExtendedAttribute(
    _ name: BytePath, of file: OpenFile, to value: [UInt8]
  ) throws(FileCallError) {
    try call("setxattr", on: file) { engine, caller throws(Errno) in
      let inode = try engine.handles.handle(file.handle, volume: caller.volume).inode
      try value.storing { (bytes) throws(Errno) in
        try engine.setExtendedAttribute(name, of: inode.number, to: bytes, [], caller)
      }
    }
  }
}
