import Files

/// Where this repository begins, absolute; from the place of this source file when it was built.
package let repositoryRoot: BytePath = BytePath("\(#filePath)").parent.parent.parent

/// The path of a program of this package, built by the same command as the tests that ask.
///
/// - Throws: ENOENT where it was not built.
package func builtProgram(_ name: String) throws -> BytePath {
  // The test runner is the bundle itself or the toolchain's helper, which gets the bundle as an argument.
  var candidates = [try Host.programPath().parent]
  candidates += CommandLine.arguments.filter { $0.hasSuffix(".xctest") }.map { BytePath($0).parent }
  for directory in candidates {
    let root = try HostVolume(root: try Host.absolutePath(of: directory))
    if (try? root.status(at: BytePath(name)))?.kind == .regular { return root.rootPath.appending(name) }
  }
  throw FileCallError("open", candidates.map { $0.appending(name) }, .enoent)
}
