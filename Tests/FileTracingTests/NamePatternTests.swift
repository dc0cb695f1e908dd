import FileTracing
import Files
import TestSupport
import Testing

@Suite struct NamePatternTests {
  static let cases: [(glob: String, matching: [String], other: [String])] = [
    ("document.json", ["document.json"], ["document.jsonx", "a/document.json", ".document.json", ""]),
    ("*", ["a", "abc"], ["a/b", ".a"]),
    ("*.tmp", ["a.tmp", "a.b.tmp"], [".tmp", ".a.tmp", "a/b.tmp"]),
    (".*.tmp", [".a.tmp", "..tmp"], ["a.tmp", "x.a.tmp"]),
    (".document.json.*.tmp", [".document.json.0123abcd.tmp"], ["document.json.0123abcd.tmp", ".document.json.tmp"]),
    ("pages/*", ["pages/a"], ["pages/a/b", "pages/.a", "pages"]),
    ("**", ["", "a", "a/b/c"], [".a", "a/.b", "a/.b/c"]),
    ("**/a", ["a", "x/a", "x/y/a"], ["xa", "x/.y/a", ".x/a", "a/x", ".a"]),
    ("a/**/b", ["a/b", "a/x/b", "a/x/y/b"], ["a/.x/b", "ab", "a/xb"]),
    ("pages/**", ["pages/", "pages/a", "pages/a/b"], ["pages/.a", "pages", "x/pages/a"]),
    ("**.jpg", ["a.jpg", "a/b.jpg"], [".jpg", ".a.jpg", "a/.jpg", "a/.jpg.jpg", "a.jpgx"]),
    ("**/.*.tmp", [".a.tmp", "x/.a.tmp"], ["a.tmp", "x/a.tmp", ".x/.a.tmp"]),
    ("?", ["a"], ["", ".", "/", "ab"]),
    ("a?b", ["a.b", "axb"], ["a/b", "ab", "axxb"]),
    ("a/?b", ["a/xb"], ["a/.b"]),
    ("*a*b*c*", ["abc", "xaxbxcx", "aabbcc"], ["acb", "ab", "a/b/c", ".abc"]),
    ("**/x/**/y", ["x/y", "a/x/b/x/c/y", "x/x/y"], ["x", "y", "a/y"]),
  ]

  @Test(arguments: cases)
  func matches(row: (glob: String, matching: [String], other: [String])) {
    let pattern = NamePattern(BytePath(row.glob))
    for path in row.matching { #expect(pattern.matches(BytePath(path)), "\(row.glob) ~ \(path)") }
    for path in row.other { #expect(!pattern.matches(BytePath(path)), "\(row.glob) !~ \(path)") }
  }

  @Test func bytesAreBytes() {
    let pattern = NamePattern(BytePath(bytes: [0xFF, UInt8(ascii: "*")]))
    #expect(pattern.matches(BytePath(bytes: [0xFF, 0xFE])))
    #expect(!pattern.matches(BytePath(bytes: [0xFE, 0xFF])))
  }

  /// The two stars that are tried again suffice: the same answers as trying everything.
  @Test func agreesWithTryingEverything() {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<5_000 {
      let glob = pick(from: Array("ab./**?".utf8), upTo: 9, &generator)
      let path = pick(from: Array("ab./".utf8), upTo: 8, &generator)
      let expected = tryEverything(glob[...], path[...], glob: glob, path: path)
      let found = NamePattern(BytePath(bytes: glob)).matches(BytePath(bytes: path))
      #expect(found == expected, "\(BytePath(bytes: glob)) and \(BytePath(bytes: path))")
    }
  }

  private func pick(from letters: [UInt8], upTo count: Int, _ generator: inout SeededGenerator) -> [UInt8] {
    (0..<Int.random(in: 0...count, using: &generator)).map { _ in letters.randomElement(using: &generator) ?? 0 }
  }

  private func tryEverything(
    _ glob: ArraySlice<UInt8>, _ path: ArraySlice<UInt8>, glob wholeGlob: [UInt8], path wholePath: [UInt8]
  ) -> Bool {
    let slash = UInt8(ascii: "/")
    func recurse(_ glob: ArraySlice<UInt8>, _ path: ArraySlice<UInt8>) -> Bool {
      tryEverything(glob, path, glob: wholeGlob, path: wholePath)
    }
    func isLeadingDot(_ place: Int) -> Bool {
      wholePath[place] == UInt8(ascii: ".") && (place == 0 || wholePath[place - 1] == slash)
    }
    guard let first = glob.first else { return path.isEmpty }
    let rest = glob.dropFirst()
    if first == UInt8(ascii: "*"), rest.first == UInt8(ascii: "*") {
      let beginsName = glob.startIndex == 0 || wholeGlob[glob.startIndex - 1] == slash
      let takesNames = beginsName && rest.dropFirst().first == slash
      let behind = takesNames ? rest.dropFirst(2) : rest.dropFirst()
      func ends(_ left: ArraySlice<UInt8>) -> Bool {
        (takesNames || left.isEmpty || !isLeadingDot(left.startIndex)) && recurse(behind, left)
      }
      if ends(path) { return true }
      var left = path
      while let byte = left.first, !isLeadingDot(left.startIndex) {
        left = left.dropFirst()
        if !takesNames || byte == slash, ends(left) { return true }
      }
      return false
    }
    if first == UInt8(ascii: "*") {
      if !path.isEmpty, isLeadingDot(path.startIndex) { return false }
      if recurse(rest, path) { return true }
      guard let byte = path.first, byte != slash else { return false }
      return recurse(glob, path.dropFirst())
    }
    guard let byte = path.first else { return false }
    if first == UInt8(ascii: "?") {
      return byte != slash && !isLeadingDot(path.startIndex) && recurse(rest, path.dropFirst())
    }
    return first == byte && recurse(rest, path.dropFirst())
  }
}
