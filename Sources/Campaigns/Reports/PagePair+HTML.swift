import Bytes
import Pages

extension PagePair {
  /// Its pictures as files: what follows the name of the failure's own file, and the bytes.
  package var files: [(suffix: String, bytes: [UInt8])] {
    [("-expected.jpg", expected.jpeg), ("-found.jpg", found.jpeg)].compactMap { suffix, jpeg in
      jpeg.map { (suffix, $0) }
    }
  }

  /// How many bytes its pictures take in a page that they stand in.
  var embeddedBytes: Int { files.reduce(0) { $0 + ($1.bytes.count + 2) / 3 * 4 } }

  /// The two pictures beside each other.
  ///
  /// - Parameter file: the failure's own file without its ending; pictures are named by it, and stand in the page where
  ///   this is nil.
  func markup(namedBy file: String?) -> Markup {
    .element(
      "div", ["class": "pages"],
      figure(expected, "as it should be", file.map { $0 + "-expected.jpg" }),
      figure(found, "as it is", file.map { $0 + "-found.jpg" }))
  }

  private func figure(_ side: Side, _ label: String, _ file: String?) -> Markup {
    let picture: Markup
    var caption: [Markup] = [.element("strong", Markup(label))]
    if let jpeg = side.jpeg {
      caption.append(Markup(": \(side.words)"))
      picture =
        file.map { .element("p", ["class": "unshown"], .element("code", Markup($0))) }
        ?? .picture(
          "data:image/jpeg;base64,\(Base64.text(of: jpeg))", alternative: "page \(name) \(label): \(side.words)")
    } else {
      picture = .element("p", ["class": "unshown"], Markup(side.words))
    }
    return .element("figure", picture, .element("figcaption", .joined(caption)))
  }
}
