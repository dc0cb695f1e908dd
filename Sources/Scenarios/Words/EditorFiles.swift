/// Files that let editors colour scenarios: printed from the words of the language.
package enum EditorFiles {
  /// The words, the longest first: an editor takes the first that fits.
  private static let words = ScenarioGuide.keywords.sorted { ($1.utf8.count, $0) < ($0.utf8.count, $1) }

  /// Vim: which files are scenarios.
  package static let vimDetection = "autocmd BufRead,BufNewFile *.scn setfiletype scn\n"

  /// Vim: their colours.
  package static let vim =
    """
    " Scenarios of lnote-scenario. Printed from the words of the language.
    if exists("b:current_syntax") | finish | endif
    syntax iskeyword @,48-57,-
    setlocal comments=:# commentstring=#\\ %s shiftwidth=2 expandtab

    """
    + words.map { "syntax keyword scnWord \($0)\n" }.joined()
      + """
      syntax match scnComment "#.*$"
      syntax region scnString start=+"+ skip=+\\\\.+ end=+"+ oneline
      syntax match scnVariable "\\$[a-z][a-z0-9-]*"
      syntax match scnNumber "\\<[0-9][0-9_.]*\\(ms\\|s\\|min\\|h\\|B\\|KiB\\|MiB\\|GiB\\|x[0-9]\\+\\)\\=\\>"
      syntax match scnError "\\<E[A-Z0-9]\\+\\>"
      syntax match scnCode "\\<LN[0-9]\\{4}\\>"
      highlight default link scnWord Keyword
      highlight default link scnComment Comment
      highlight default link scnString String
      highlight default link scnVariable Identifier
      highlight default link scnNumber Number
      highlight default link scnError Constant
      highlight default link scnCode Constant
      let b:current_syntax = "scn"

      """

  /// Visual Studio Code: the extension.
  package static let package = """
    {
      "name": "lnote-scenario",
      "displayName": "Scenarios of lnote-scenario",
      "version": "0.1.0",
      "engines": { "vscode": "^1.60.0" },
      "contributes": {
        "languages": [
          {
            "id": "scn",
            "aliases": ["Scenario"],
            "extensions": [".scn"],
            "configuration": "./language-configuration.json"
          }
        ],
        "grammars": [{ "language": "scn", "scopeName": "source.scn", "path": "./syntaxes/scn.tmLanguage.json" }]
      }
    }

    """

  /// Visual Studio Code: comments and brackets.
  package static let configuration = """
    {
      "comments": { "lineComment": "#" },
      "brackets": [["{", "}"], ["(", ")"]],
      "autoClosingPairs": [["{", "}"], ["(", ")"], ["\\"", "\\""]],
      "wordPattern": "[A-Za-z$][A-Za-z0-9-]*"
    }

    """

  /// Visual Studio Code, TextMate and others: the colours.
  package static let grammar = """
    {
      "name": "Scenario",
      "scopeName": "source.scn",
      "patterns": [
        { "name": "comment.line.number-sign.scn", "match": "#.*$" },
        {
          "name": "string.quoted.double.scn",
          "begin": "\\"",
          "end": "\\"|$",
          "patterns": [{ "name": "constant.character.escape.scn", "match": "\\\\\\\\." }]
        },
        { "name": "variable.other.scn", "match": "\\\\$[a-z][a-z0-9-]*" },
        { "name": "constant.other.scn", "match": "\\\\b(E[A-Z0-9]+|LN[0-9]{4})\\\\b" },
        {
          "name": "constant.numeric.scn",
          "match": "\\\\b[0-9][0-9_.]*(ms|s|min|h|B|KiB|MiB|GiB|x[0-9]+)?\\\\b"
        },
        {
          "name": "keyword.control.scn",
          "match": "(?<![A-Za-z0-9$-])(\(words.joined(separator: "|")))(?![A-Za-z0-9-])"
        }
      ]
    }

    """
}
