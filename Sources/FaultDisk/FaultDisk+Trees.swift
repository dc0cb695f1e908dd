import Files

extension FaultDisk {
  /// Copies regular files and directories of another volume, with their permissions, to the root of this disk.
  ///
  /// What is copied is durable, is not recorded, and is hit by no rule. Other kinds of file are left out.
  /// - Throws: what the other volume's calls throw; EEXIST where a name is taken by another kind of thing.
  package func importTree(from source: any Volume) throws(FileCallError) {}

  /// Copies the regular files and directories of this disk, with their permissions, to the root of another volume.
  ///
  /// The disk may be cut: what is copied is then what a `restart` would show. No rule is asked.
  /// - Throws: what the other volume's calls throw, EEXIST where a file is there already.
  package func exportTree(to target: any Volume) throws(FileCallError) {}
}
