import Files
import JSON

// The JSON form of an effect: members of the object of its rule. "effect" is its word; besides
//   errno (errno) · short-write, torn-write, short-read (bytes) · torn-rename (outcome; bytes for target-prefix, none
//   is half) · fsync-fail (pages: drop-dirty or keep-dirty) · flip (bits) · slow (milliseconds) ·
//   power-cut (survivors: keep-all or keep-none)
extension FaultEffect {
  /// The members that belong to one effect or another.
  static let fields = ["errno", "bytes", "outcome", "survivors", "pages", "bits", "milliseconds"]

  private static func fields(of word: FaultWord) -> [String] {
    switch word {
    case .errno: ["errno"]
    case .shortWrite, .tornWrite, .shortRead: ["bytes"]
    case .tornRename: ["outcome", "bytes"]
    case .fsyncFail: ["pages"]
    case .flip: ["bits"]
    case .slow: ["milliseconds"]
    case .powerCut: ["survivors"]
    case .fsyncLie, .zeroBlock, .misplacedBlock, .staleRead, .badSector, .asyncError, .remountReadOnly, .shutdown,
      .lockedDevice, .rolledBack, .placeholder, .shuffled, .hang, .kill:
      []
    }
  }

  /// The effect in the fields of a rule.
  init(_ fields: PlanFields) throws(FaultPlanError) {
    let word = try fields.needed("effect", fields.word("effect", of: FaultWord.allCases))
    let own = FaultEffect.fields(of: word)
    try fields.refuse(
      FaultEffect.fields.filter { !own.contains($0) }, because: "has no meaning for '\(word.rawValue)'")
    switch word {
    case .errno:
      let name = try fields.needed("errno", fields.text("errno"))
      guard let errno = Errno(name: name) else { throw fields.error("errno", "'\(name)' is the name of no error") }
      self = .errno(errno)
    case .shortWrite: self = .shortWrite(bytesMax: try fields.needed("bytes", fields.number("bytes")))
    case .tornWrite: self = .tornWrite(bytesMax: try fields.needed("bytes", fields.number("bytes")))
    case .shortRead: self = .shortRead(bytesMax: try fields.needed("bytes", fields.number("bytes")))
    case .tornRename: self = .tornRename(try TornRename(fields))
    case .fsyncFail:
      self = .fsyncFail(try fields.needed("pages", fields.word("pages", of: DirtyPages.allCases)))
    case .flip: self = .flip(bits: try fields.needed("bits", fields.number("bits")))
    case .slow: self = .slow(milliseconds: try fields.needed("milliseconds", fields.number("milliseconds")))
    case .powerCut:
      let survivors = try fields.word("survivors", of: [SurvivingState.keepAll, .keepNone])
      self = .powerCut(try fields.needed("survivors", survivors))
    case .fsyncLie: self = .fsyncLie
    case .zeroBlock: self = .zeroBlock
    case .misplacedBlock: self = .misplacedBlock
    case .staleRead: self = .staleRead
    case .badSector: self = .badSector
    case .asyncError: self = .asyncError
    case .remountReadOnly: self = .remountReadOnly
    case .shutdown: self = .shutdown
    case .lockedDevice: self = .lockedDevice
    case .rolledBack: self = .rolledBack
    case .placeholder: self = .placeholder
    case .shuffled: self = .shuffled
    case .hang: self = .hang
    case .kill: self = .kill
    }
  }

  /// The members of its rule's object.
  var members: [String: JSONValue] {
    var members: [String: JSONValue] = ["effect": .string(word.rawValue)]
    switch self {
    case .errno(let errno): members["errno"] = .string(errno.name)
    case .shortWrite(let bytesMax), .tornWrite(let bytesMax), .shortRead(let bytesMax):
      members["bytes"] = .integer(Int64(clamping: bytesMax))
    case .tornRename(let way):
      members["outcome"] = .string(way.name)
      if case .targetPrefix(let bytes?) = way { members["bytes"] = .integer(Int64(clamping: bytes)) }
    case .fsyncFail(let pages): members["pages"] = .string(pages.rawValue)
    case .flip(let bits): members["bits"] = .integer(Int64(clamping: bits))
    case .slow(let milliseconds): members["milliseconds"] = .integer(Int64(clamping: milliseconds))
    case .powerCut(let survivors): members["survivors"] = .string(survivors.rawValue)
    case .fsyncLie, .zeroBlock, .misplacedBlock, .staleRead, .badSector, .asyncError, .remountReadOnly, .shutdown,
      .lockedDevice, .rolledBack, .placeholder, .shuffled, .hang, .kill:
      break
    }
    return members
  }
}

extension TornRename {
  fileprivate init(_ fields: PlanFields) throws(FaultPlanError) {
    let name = try fields.needed("outcome", fields.text("outcome"))
    guard let way = TornRename.all.first(where: { $0.name == name }) else {
      throw fields.error("outcome", "'\(name)' is none of \(TornRename.all.map(\.name).joined(separator: " "))")
    }
    if way != .targetPrefix(bytes: nil) {
      try fields.refuse(["bytes"], because: "has no meaning for '\(name)'")
      self = way
    } else {
      self = .targetPrefix(bytes: try fields.number("bytes"))
    }
  }
}
