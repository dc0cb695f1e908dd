import Files

/// A glob over paths: `*` within a name, `**` across names, `?` one byte. None of them matches a leading dot.
///
/// A pattern is relative to the root of the disk; one that begins with `**/` may begin at any depth. Everything else
/// stands for itself, by bytes. Names with a leading dot, such as temporary files, are matched where the dot is written.
package struct NamePattern: Hashable, Sendable {
  /// The glob's bytes.
  package let glob: BytePath

  /// The pattern of this glob.
  package init(_ glob: BytePath) { self.glob = glob }

  /// True where the pattern stands for the whole path.
  ///
  /// At most O(pattern × path × depth): a later star never needs an earlier one to give back, so only the last `*` and
  /// the last `**` are tried again.
  package func matches(_ path: BytePath) -> Bool {
    glob.bytes.withUnsafeBufferPointer { glob in
      path.bytes.withUnsafeBufferPointer { path in
        var match = GlobMatch(glob: glob, path: path)
        return match.run()
      }
    }
  }
}

/// One attempt to lay a glob over a path.
private struct GlobMatch {
  let glob: UnsafeBufferPointer<UInt8>
  let path: UnsafeBufferPointer<UInt8>
  var inGlob = 0
  var inPath = 0
  /// Where to go on behind the last `*`, when it takes one byte more.
  var star: (glob: Int, path: Int)?
  /// The same for the last `**`; one with a slash takes whole names.
  var deepStar: (glob: Int, path: Int, takesNames: Bool)?

  init(glob: UnsafeBufferPointer<UInt8>, path: UnsafeBufferPointer<UInt8>) {
    self.glob = glob
    self.path = path
  }

  private static let slash = UInt8(ascii: "/")
  private static let asterisk = UInt8(ascii: "*")

  mutating func run() -> Bool {
    while true {
      if inGlob == glob.count && inPath == path.count { return true }
      if !step() && !retry() { return false }
    }
  }

  /// Lays the next piece of the glob over the path.
  private mutating func step() -> Bool {
    guard inGlob < glob.count else { return false }
    let byte = glob[inGlob]
    if byte == GlobMatch.asterisk { return takeStar() }
    guard inPath < path.count else { return false }
    if byte == UInt8(ascii: "?") {
      guard canBeTaken(inPath), path[inPath] != GlobMatch.slash else { return false }
    } else if byte != path[inPath] {
      return false
    }
    inGlob += 1
    inPath += 1
    return true
  }

  /// Lets a star take nothing; not where the path has a leading dot, which a name's first written byte must match.
  private mutating func takeStar() -> Bool {
    let isDeep = inGlob + 1 < glob.count && glob[inGlob + 1] == GlobMatch.asterisk
    let beginsName = inGlob == 0 || glob[inGlob - 1] == GlobMatch.slash
    let takesNames = isDeep && beginsName && inGlob + 2 < glob.count && glob[inGlob + 2] == GlobMatch.slash
    guard takesNames || inPath == path.count || canBeTaken(inPath) else { return false }
    inGlob += takesNames ? 3 : isDeep ? 2 : 1
    if isDeep {
      deepStar = (inGlob, inPath, takesNames)
      star = nil
    } else {
      star = (inGlob, inPath)
    }
    return true
  }

  /// Lets the last star take more.
  private mutating func retry() -> Bool {
    if let star, star.path < path.count, path[star.path] != GlobMatch.slash, canBeTaken(star.path) {
      self.star = (star.glob, star.path + 1)
      inGlob = star.glob
      inPath = star.path + 1
      return true
    }
    guard let deepStar, deepStar.path < path.count, canBeTaken(deepStar.path) else { return false }
    var next = deepStar.path + 1
    if deepStar.takesNames {
      while next < path.count, path[next - 1] != GlobMatch.slash { next += 1 }
      guard path[next - 1] == GlobMatch.slash else { return false }
    } else if next < path.count, !canBeTaken(next) {
      return false
    }
    self.deepStar = (deepStar.glob, next, deepStar.takesNames)
    star = nil
    inGlob = deepStar.glob
    inPath = next
    return true
  }

  /// False for a dot at the beginning of a name, which only a written dot matches.
  private func canBeTaken(_ place: Int) -> Bool {
    path[place] != UInt8(ascii: ".") || (place > 0 && path[place - 1] != GlobMatch.slash)
  }
}
