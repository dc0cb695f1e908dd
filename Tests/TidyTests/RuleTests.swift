import Testing

/// Each rule on texts handed in: where it must fire, and where it must stay silent.
struct RuleTests {
  private func lines(_ findings: [Finding]) -> [Int] { findings.map(\.line) }

  private func source(_ text: String, path: String = "Sources/Room/File.swift") -> SourceText {
    SourceText(path: path, text: text)
  }

  static let blanked: [(text: String, code: String)] = [
    ("a // b", "a     "),
    ("a /* b /* c */ d */ e", "a                   e"),
    (#"x("try!") y"#, #"x("    ") y"#),
    (#"x("a\(f("b"))c") y"#, #"x("  (f(" ")) ") y"#),
    (#"x("\"//") y"#, #"x("    ") y"#),
    (##"x(#"a"b"#) y"##, ##"x(#"   "#) y"##),
    ("x(\"\"\"\n  \" //\n  \"\"\") // y", "x(\"\"\"\n      \n  \"\"\")     "),
    ("let a = \"é\" // é", "let a = \"  \"      "),
  ]

  @Test(arguments: blanked.indices) func takesSourcesApart(row: Int) {
    let (text, code) = RuleTests.blanked[row]
    #expect(source(text).code.joined(separator: "\n") == code)
  }

  @Test func filesMayHave400Lines() {
    let fits = String(repeating: "x\n", count: 400)
    #expect(LengthRules.fileFindings(path: "a", text: fits) == [])
    #expect(lines(LengthRules.fileFindings(path: "a", text: fits + "x\n")) == [0])
    #expect(lines(LengthRules.fileFindings(path: "a", text: fits + "x")) == [0])
  }

  static let functions: [(text: String, lines: [Int])] = [
    ("func a() {\n" + String(repeating: "  x()\n", count: 68) + "}\n", []),
    ("func a() {\n" + String(repeating: "  x()\n", count: 69) + "}\n", [1]),
    ("struct S {\n  init(a: Int = 1) {\n" + String(repeating: "  x()\n", count: 69) + "  }\n}\n", [2]),
    ("func a(\n  b: () -> Void = {}\n) {\n" + String(repeating: "  x()\n", count: 66) + "}\n", []),
    ("func a(\n  b: () -> Void = {}\n) {\n" + String(repeating: "  x()\n", count: 67) + "}\n", [1]),
    ("func a() { if b {\n" + String(repeating: "  x()\n", count: 69) + "} }\n", [1]),
    ("protocol P {\n  func a()\n  func b() -> Int\n}\n" + String(repeating: "x()\n", count: 80), []),
    ("// func a() {\n" + String(repeating: "x()\n", count: 80) + "}\n", []),
    ("let x = S.init(\n" + String(repeating: "  y,\n", count: 80) + ")\n", []),
  ]

  @Test(arguments: functions.indices) func functionsMayHave70Lines(row: Int) {
    let (text, expected) = RuleTests.functions[row]
    #expect(lines(LengthRules.functionFindings(source(text))) == expected)
  }

  static let hundred = String(repeating: "x", count: 99) + "."

  static let comments: [(text: String, lines: [Int])] = [
    ("package func a() {}", [1]),
    ("/// Does it.\npackage func a() {}", []),
    ("// Does it.\npackage func a() {}", [2]),
    ("/// Does it.\n\npackage func a() {}", [3]),
    ("/// Does it.\n@inlinable\n@discardableResult package static func a() {}", []),
    ("struct S {\n  package let a: Int\n  package private(set) var b = 1\n}", [2, 3]),
    ("public struct S {}\nstruct T {}\nprivate func a() {}", [1]),
    ("  @discardableResult package func a() {}\n  final package class B {}", [1, 2]),
    ("package import Glibc", []),
    ("let a = \"\"\"\n  package func a() {}\n  \"\"\"", []),
    ("/// \(hundred) And more of it, which may be as long as it likes, and longer.\npackage let a = 1", []),
    ("/// x\(hundred)\npackage let a = 1", [2]),
    ("/// \(hundred)\n///\n/// More.\npackage let a = 1", []),
    ("/// One line, and\n/// \(hundred)\npackage let a = 1", [3]),
  ]

  @Test(arguments: comments.indices) func whatOthersUseHasAComment(row: Int) {
    let (text, expected) = RuleTests.comments[row]
    #expect(lines(CommentRules.documentationFindings(source(text))) == expected)
  }

  static let calls: [(text: String, path: String, names: [String])] = [
    ("let a = try! b()", "Sources/Room/A.swift", ["try!"]),
    ("let a = try? b() // try! here", "Sources/Room/A.swift", []),
    ("let a = try! b()", "Tests/RoomTests/A.swift", ["try!"]),
    ("manager.replaceItemAt(a)", "Sources/Room/A.swift", ["replaceItemAt"]),
    ("print(Date())", "Sources/lnote-fsck/A.swift", ["Date()"]),
    ("let a = FormatDate(b)", "Sources/Room/A.swift", []),
    ("usleep(3); Task.sleep(for: b); nanosleep(&c, nil)", "Tests/RoomTests/A.swift", ["sleep"]),
    ("asleep(); let sleeper = 1", "Sources/Room/A.swift", []),
    ("let a = Int.random(in: 0..<3)", "Sources/Room/A.swift", ["random"]),
    ("let a = Int.random(in: 0..<3, using: &numbers)", "Sources/Room/A.swift", []),
    ("let a = names.shuffled()", "Tests/RoomTests/A.swift", ["random"]),
    ("return .shuffle(try block())", "Sources/Room/A.swift", []),
    ("var a = SystemRandomNumberGenerator()", "Sources/Room/A.swift", ["SystemRandomNumberGenerator"]),
    ("let a = UUID()", "Sources/Room/A.swift", ["SystemRandomNumberGenerator"]),
    ("import Foundation", "Sources/Room/A.swift", ["import Foundation"]),
    ("import FoundationEssentials", "Sources/lnote-fsck/A.swift", ["import Foundation"]),
    ("import Foundation", "Tests/RoomTests/A.swift", []),
    ("print(\"a\")", "Sources/Room/A.swift", ["print"]),
    ("print(\"a\")", "Sources/faultfs/A.swift", []),
    ("blueprint(a); footprint.print(b)", "Sources/Room/A.swift", []),
  ]

  @Test(arguments: calls.indices) func someCallsAreBanned(row: Int) {
    let (text, path, names) = RuleTests.calls[row]
    let found = BannedCalls.findings(source(text, path: path), exceptions: [])
    #expect(found.map { $0.message.prefix { $0 != ":" } } == names.map { "\($0) is not used here" })
    let exceptions = names.map { BannedCalls.Exception(path: path, call: $0, reason: "a test") }
    #expect(BannedCalls.findings(source(text, path: path), exceptions: exceptions) == [])
  }

  @Test func exceptionsGoWithTheirCall() {
    let row = BannedCalls.Exception(path: "Sources/Room/A.swift", call: "try!", reason: "a test")
    let with = source("try! a()", path: row.path)
    let without = source("try a()", path: row.path)
    #expect(BannedCalls.staleExceptions([row], sources: [with]) == [])
    #expect(BannedCalls.staleExceptions([row], sources: [without]).map(\.path) == [row.path])
    #expect(BannedCalls.staleExceptions([row], sources: []).count == 1)
  }

  @Test func looseEndsNeedANumber() {
    let text = "// TODO: later\n// TODO(#12): later\nlet a = 1 // FIXME #3\nTODOS, a hackney\nXXX\n"
    #expect(lines(CommentRules.looseEndFindings(path: "a", text: text)) == [1, 5])
  }

  @Test func theWorkplaceIsNoSubject() {
    for word in CommentRules.workplaceWords {
      #expect(lines(CommentRules.workplaceFindings(path: "a", text: "one\nsee \(word)x\n")) == [2])
    }
    let fine = "a StoreSession works; ~/Notes; /tmp/lnote; share it; an agenda\n"
    #expect(CommentRules.workplaceFindings(path: "a", text: fine) == [])
  }
}
