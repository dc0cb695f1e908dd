/// Text of a page. What comes from outside is escaped when it is put in, and nowhere else.
package struct Markup: Sendable, CustomStringConvertible {
  /// The text as a browser reads it.
  package private(set) var description: String

  /// Nothing.
  package static let nothing = Markup(raw: "")

  private init(raw: String) { description = raw }

  /// Words, escaped.
  package init(_ words: String) {
    var text = ""
    for scalar in words.unicodeScalars {
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      case "\n": text += "\n"
      // Control characters are no text of a page; bidirectional ones could show a line as another.
      case _ where scalar.value < 32 || scalar.value == 127 || scalar.properties.isBidiControl: text += "\u{FFFD}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    description = text
  }

  /// An element with its attributes, whose values are escaped; the names are the program's own.
  package static func element(
    _ name: String, _ attributes: KeyValuePairs<String, String>, _ content: Markup...
  ) -> Markup {
    let head = attributes.map { " \($0.key)=\"\(Markup($0.value))\"" }.joined()
    return Markup(raw: "<\(name)\(head)>\(joined(content))</\(name)>")
  }

  /// An element without attributes.
  package static func element(_ name: String, _ content: Markup...) -> Markup {
    element(name, [:], joined(content))
  }

  /// A picture, with words for whoever cannot see it.
  package static func picture(_ address: String, alternative: String) -> Markup {
    Markup(raw: "<img src=\"\(Markup(address))\" alt=\"\(Markup(alternative))\">")
  }

  /// Parts behind each other.
  package static func joined(_ parts: [Markup]) -> Markup { Markup(raw: parts.map(\.description).joined()) }

  /// A whole page: it needs no script, loads nothing, and follows the reader's wish for light or dark.
  package static func page(title: String, style: String, body: Markup) -> String {
    """
    <!doctype html>
    <html lang="en"><head><meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
    <title>\(Markup(title))</title>
    <style>\(style)</style></head>
    <body>\(body)</body></html>

    """
  }
}
