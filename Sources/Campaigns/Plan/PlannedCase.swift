import Bytes

/// One case of a campaign: what it runs, under a name that no other case has.
package struct PlannedCase: Sendable, Hashable {
  /// Where a case comes from. The order is that in which a shard runs them.
  package enum Kind: String, Sendable, CaseIterable {
    /// A store that overwrites in place, which must be convicted: else the whole run proves nothing.
    case canary
    /// A failure that was mended, kept as a file, and must not come back.
    case regression
    /// A failure that stands: its file is run again, since only a run says that it is mended.
    case failing
    /// A scenario that people wrote.
    case scenario
    /// A scenario that is made up from the seed.
    case invented
  }

  /// Where it comes from.
  package let kind: Kind
  /// What tells it from the others of its kind: the file, or the number.
  package let name: String

  /// The case of this name.
  package init(kind: Kind, name: String) {
    self.kind = kind
    self.name = name
  }

  /// The case that this identity names; nil where it names none.
  package init?(identity: String) {
    guard let slash = identity.firstIndex(of: "/"), let kind = Kind(rawValue: String(identity[..<slash])) else {
      return nil
    }
    let name = String(identity[identity.index(after: slash)...])
    guard !name.isEmpty else { return nil }
    self.init(kind: kind, name: name)
  }

  /// The name among all cases: "invented/217". It depends on no number of shards.
  package var identity: String { "\(kind.rawValue)/\(name)" }

  /// The file that it runs: a name without the number of a draw.
  package var file: String { parts.file }

  /// Which of the cases that chance makes of its file it is, from 1; nil where it is the file itself.
  package var draw: Int? { parts.draw }

  /// A case that chance makes of a file.
  package init(kind: Kind, file: String, draw: Int) { self.init(kind: kind, name: "\(file)#\(draw)") }

  private var parts: (file: String, draw: Int?) {
    guard let mark = name.lastIndex(of: "#"), let draw = Int(name[name.index(after: mark)...]), draw > 0,
      name[..<mark].hasSuffix(".scn")
    else { return (name, nil) }
    return (String(name[..<mark]), draw)
  }

  /// False for a case that may be left out where the time is used up.
  package var isMandatory: Bool { kind != .invented }

  /// The seed of everything that is drawn in this case of a campaign with this seed.
  package func seed(ofCampaign seed: UInt64) -> UInt64 {
    XXH3.digest64(of: Array("\(seed) \(identity)".utf8))
  }
}
