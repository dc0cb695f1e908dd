import Testing

@testable import Options

/// What a program prints about itself for man(1) and for shells.
struct PrintedTests {
  /// Text with every character that roff or a shell takes for its own.
  static let nasty = OptionTable(
    program: "odd-one", sentence: "it's \\odd", version: "2",
    options: [
      Option("say", short: "s", value: .choice("WORD", ["a", "b"]), "say 'it' [to me]: $HOME `x` \\ (\"now\")"),
      Option("may", value: .choice("WORD", ["c"]), valueIsOptional: true, group: .rest, ".or not"),
      Option("into", value: .directory("DIR"), "put it there"),
    ],
    operands: Operands("FILE...", count: 0...9, ".files, 'quoted'"),
    examples: [Example("odd-one ~/x -s a", "'it'")], exitStatuses: [ExitStatus(0, "fine")])

  @Test func theManualIsThisText() {
    #expect(
      PrintedTests.nasty.manual == #"""
        .\" Printed by odd-one --print-man; change the table of options instead.
        .TH ODD-ONE 1 "" "odd-one 2" "User Commands"
        .SH NAME
        odd\-one \- it\(aqs \eodd
        .SH SYNOPSIS
        .B odd\-one
        [OPTION]... FILE...
        .SH DESCRIPTION
        \&.files, \(aqquoted\(aq.
        .SH OPTIONS
        .TP
        \fB\-s\fR, \fB\-\-say\fR=\fIWORD\fR (a, b)
        Say \(aqit\(aq [to me]: $HOME \(gax\(ga \e (\(dqnow\(dq).
        .TP
        \fB\-\-into\fR=\fIDIR\fR
        Put it there.
        .TP
        \fB\-\-may\fR[=\fIWORD\fR] (c)
        \&.or not.
        .TP
        \fB\-h\fR, \fB\-\-help\fR
        Show this text.
        .TP
        \fB\-\-version\fR
        Show the version.
        .SH EXAMPLES
        .TP
        .B odd\-one \(ti/x \-s a
        \(aqit\(aq.
        .SH EXIT STATUS
        .TP
        .B 0
        Fine.

        """#)
  }

  @Test func isPrintedForThisOneWordOnly() throws {
    let table = PrintedTests.nasty
    #expect(try table.read(["--print-man"]) == .show(table.manual))
    for shell in CompletingShell.allCases {
      #expect(try table.read([Word("--print-completion=\(shell)")]) == .show(table.completion(for: shell)))
    }
    for words: [Word] in [["--print-man", "x"], ["--print-ma"], ["--print-completion=tcsh"], ["--print-completion"]] {
      #expect(throws: OptionError.self) { try table.read(words) }
    }
    #expect(!table.help.contains("--print"))
  }
}
