import FileTracing

/// `maybe fault NAME = EFFECT on …`.
struct FaultSyntax: Sendable {
  var place: SourcePlace
  var isOptional: Bool
  var name: Word?
  var effect: EffectSyntax
  var trigger: TriggerSyntax
}

/// What stands between `with` and its block.
enum ArmedSyntax: Sendable {
  case fault(FaultSyntax)
  case freeSpace(SizeSyntax)
}

/// What a fault does.
struct EffectSyntax: Sendable {
  var place: SourcePlace
  var kind: Kind

  enum Kind: Sendable {
    case errno(String)
    case shortWrite(SizeSyntax)
    case tornWrite(SizeSyntax)
    case tornRename(String, SizeSyntax?)
    case fsyncFail(dropDirty: Bool)
    case slow(DurationSyntax)
    case flip(NumberSyntax)
    case shortRead(SizeSyntax)
    case powerCut(LossSyntax?)
    case kill
    /// An effect that is one word.
    case plain(String)
  }

  /// The effects that are one word and nothing more.
  static let plainWords = FaultWord.allCases.filter { $0.plainEffect != nil }.map(\.rawValue)
  /// Every word that an effect can begin with, but for the names of errors.
  static let words = FaultWord.allCases.filter { $0 != .errno }.map(\.rawValue)
}

extension FaultWord {
  /// The effect of a word behind which nothing follows; nil for the others.
  var plainEffect: FaultEffect? {
    switch self {
    case .fsyncLie: .fsyncLie
    case .zeroBlock: .zeroBlock
    case .misplacedBlock: .misplacedBlock
    case .staleRead: .staleRead
    case .badSector: .badSector
    case .asyncError: .asyncError
    case .remountReadOnly: .remountReadOnly
    case .shutdown: .shutdown
    case .lockedDevice: .lockedDevice
    case .rolledBack: .rolledBack
    case .placeholder: .placeholder
    case .shuffled: .shuffled
    case .hang: .hang
    case .errno, .shortWrite, .tornWrite, .tornRename, .fsyncFail, .flip, .shortRead, .slow, .powerCut, .kill: nil
    }
  }
}

/// What a power cut leaves.
struct LossSyntax: Sendable {
  var place: SourcePlace
  var kind: Kind

  enum Kind: Sendable {
    case keepAll
    case keepNone
    case losing([OperationReference])
    case keeping([OperationReference])
  }
}

/// `write of image a1 nth 2 bytes 4KiB`.
struct OperationReference: Sendable {
  var operation: Spelled<OperationWord>
  var target: TargetSyntax
  var nth: NumberSyntax?
  var bytes: SizeSyntax?
}

/// An operation as a scenario names it.
enum OperationWord: Hashable, Sendable {
  case any
  case kind(OperationKind)

  /// The operation of this word.
  init?(_ word: String) {
    if word == "any" {
      self = .any
    } else if let kind = OperationKind.nameable.first(where: { $0.rawValue == word }) {
      self = .kind(kind)
    } else {
      return nil
    }
  }

  /// The word.
  var word: String {
    switch self {
    case .any: "any"
    case .kind(let kind): kind.rawValue
    }
  }

  /// Every word, for "did you mean".
  static let words = ["any"] + OperationKind.nameable.map(\.rawValue)
}

/// `on write or create of page p1 nth 2`.
struct TriggerSyntax: Sendable {
  var place: SourcePlace
  var operations: [Spelled<OperationWord>]
  var target: TargetSyntax?
  var selectors: [SelectorSyntax]
}

/// `of page p1`, `from "**/*.tmp"`.
struct TargetSyntax: Sendable {
  var place: SourcePlace
  var preposition: Preposition?
  var subject: Subject

  enum Preposition: String, CaseIterable, Sendable {
    case of, from, to
  }

  enum Subject: Sendable {
    /// Any of these.
    case globs([Word])
    case role(Role, Reference?)
  }

  /// A role and whether a name follows it.
  enum Role: String, CaseIterable, Sendable {
    case document, manifest, page, image, thumbnail, journal

    var hasName: Bool { self != .document && self != .manifest }
  }
}

/// Which of the matching operations are hit, or when.
struct SelectorSyntax: Sendable {
  var place: SourcePlace
  var kind: Kind

  enum Kind: Sendable {
    case nth(NumberSyntax)
    case every(NumberSyntax)
    case afterBytes(SizeSyntax)
    case probability(Numeral)
    case times(NumberSyntax)
    case phase(FaultPhase)
  }
}
