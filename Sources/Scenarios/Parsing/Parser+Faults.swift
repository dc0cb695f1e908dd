import FileTracing

extension Parser {
  /// `maybe fault NAME = EFFECT on …`.
  mutating func faultStep() throws(Failure) -> FaultSyntax {
    let start = current.place
    let isOptional = accept("maybe")
    try require("fault", "write 'maybe fault …'")
    var name: Word?
    if current.word != nil, next.kind == .symbol(.equal) {
      name = try self.name("the fault's name")
      advance()
    }
    return try fault(from: start, isOptional: isOptional, name: name)
  }

  mutating func fault(from start: SourcePlace, isOptional: Bool, name: Word?) throws(Failure) -> FaultSyntax {
    let effect = try effect()
    let trigger = try trigger()
    return FaultSyntax(
      place: place(from: start), isOptional: isOptional, name: name, effect: effect, trigger: trigger)
  }

  // MARK: Effects

  private mutating func effect() throws(Failure) -> EffectSyntax {
    let start = current.place
    guard let word = current.word else {
      throw fail(
        "what goes wrong is missing here: an error such as EIO, or short-write 512B, before \(current.spelling)")
    }
    let kind = try effectKind(word)
    return EffectSyntax(place: place(from: start), kind: kind)
  }

  private mutating func effectKind(_ word: String) throws(Failure) -> EffectSyntax.Kind {
    guard WordShape.isErrno(word) || EffectSyntax.words.contains(word) else { throw unknownEffect(word) }
    advance()
    switch word {
    case "short-write": return .shortWrite(try size("how much is written"))
    case "torn-write": return .tornWrite(try size("how much reaches the disk"))
    case "short-read": return .shortRead(try size("how much is read"))
    case "slow": return .slow(try duration("the delay"))
    case "torn-rename": return try torn()
    case "fsync-fail":
      let after = try self.word("what becomes of the data", among: DirtyPages.allCases.map(\.rawValue))
      return .fsyncFail(dropDirty: after.value == DirtyPages.drop.rawValue)
    case "flip":
      let count = try number("the number of bits")
      if !accept("bit") { try require("bits", "'bits' is missing here: flip 1 bits") }
      return .flip(count)
    case "power-cut": return .powerCut(try loss())
    case "kill": return .kill
    default: return EffectSyntax.plainWords.contains(word) ? .plain(word) : .errno(word)
    }
  }

  private mutating func unknownEffect(_ word: String) -> Failure {
    switch word {
    case "disk", "full", "disk-full", "nospace":
      return fail("a full disk is 'with free-space 0B { … }', an error alone 'with ENOSPC on write { … }'")
    case "error", "fail", "failure", "io-error":
      return fail("name the error: EIO, ENOSPC, EROFS, …")
    case "crash": return fail("write 'power-cut on … { … }' or 'kill on … { … }'")
    default: break
    }
    if let ours = Synonyms.effects[word] { return fail("unknown effect '\(word)' - did you mean '\(ours)'?") }
    if WordShape.isErrno(word.uppercased()) || word.uppercased() == word {
      return fail("'\(word)' is not an effect - errors are written in capitals: EIO, ENOSPC")
    }
    return fail("unknown effect '\(word)'\(Spelling.suggestion(for: word, among: EffectSyntax.words))")
  }

  private mutating func torn() throws(Failure) -> EffectSyntax.Kind {
    let way = try word("how the rename is torn", among: TornRename.all.map(\.name)).value
    return .tornRename(way, way == "target-prefix" && !at("on") ? try size("how much of it is left") : nil)
  }

  // MARK: What a cut leaves

  mutating func loss() throws(Failure) -> LossSyntax? {
    let start = current.place
    let kind: LossSyntax.Kind
    switch current.word {
    case "keep-all":
      advance()
      kind = .keepAll
    case "keep-none":
      advance()
      kind = .keepNone
    case "losing":
      advance()
      kind = .losing(try operationReferences())
    case "keeping":
      advance()
      kind = .keeping(try operationReferences())
    default: return nil
    }
    return LossSyntax(place: place(from: start), kind: kind)
  }

  private mutating func operationReferences() throws(Failure) -> [OperationReference] {
    var all = [try operationReference()]
    while accept(.comma) { all.append(try operationReference()) }
    return all
  }

  private mutating func operationReference() throws(Failure) -> OperationReference {
    let operation = try operation()
    guard let target = try target() else {
      throw fail("which file is missing here: \(operation.value.word) of page p1, before \(current.spelling)")
    }
    let nth = accept("nth") ? try number("which one") : nil
    let bytes = accept("bytes") ? try size("how many bytes") : nil
    return OperationReference(operation: operation, target: target, nth: nth, bytes: bytes)
  }

  // MARK: Triggers

  mutating func trigger() throws(Failure) -> TriggerSyntax {
    let start = current.place
    guard accept("on") else {
      throw fail("'on' is missing here: on rename of page p1, before \(current.spelling)")
    }
    var operations = [try operation()]
    while accept("or") { operations.append(try operation()) }
    let target = try target()
    var selectors: [SelectorSyntax] = []
    while let selector = try selector() { selectors.append(selector) }
    return TriggerSyntax(place: place(from: start), operations: operations, target: target, selectors: selectors)
  }

  /// An operation. An unknown one is said and taken for `any`, so that the rest of the line is read too.
  private mutating func operation() throws(Failure) -> Spelled<OperationWord> {
    let token = current
    guard let word = token.word else {
      throw fail("an operation is missing here: write, fsync, rename, …, before \(token.spelling)")
    }
    advance()
    guard let operation = OperationWord(word) else {
      let near = Parser.operationSynonyms[word].map { " - did you mean '\($0)'?" }
      let suggestion = near ?? Spelling.suggestion(for: word, among: OperationWord.words)
      diagnostics.add(.error, token.place, "unknown operation '\(word)'\(suggestion)")
      return Spelled(.any, token.place)
    }
    return Spelled(operation, token.place)
  }

  private static let operationSynonyms = [
    "move": "rename", "mv": "rename", "delete": "unlink", "remove": "unlink", "rm": "unlink", "flush": "fsync",
    "fdatasync": "fsync", "append": "write", "pwrite": "write", "save": "rename", "list": "readdir", "ls": "readdir",
    "all": "any", "every": "any", "resize": "truncate", "ftruncate": "truncate", "new": "create", "chmod": "setattr",
    "chown": "setattr", "utime": "setattr", "utimens": "setattr", "utimensat": "setattr", "touch": "setattr",
    "fallocate": "allocate", "punch": "allocate", "flock": "lock", "fcntl": "lock", "syncfs": "sync", "df": "statfs",
    "xattr": "setxattr", "pread": "read",
  ]

  mutating func target() throws(Failure) -> TargetSyntax? {
    let start = current.place
    let preposition = current.word.flatMap(TargetSyntax.Preposition.init(rawValue:))
    if preposition != nil { advance() }
    if case .string = current.kind {
      var globs: [Word] = []
      while case .string(let glob) = current.kind {
        globs.append(Word(glob, current.place))
        advance()
        guard at("or"), case .string = next.kind else { break }
        advance()
      }
      return TargetSyntax(place: self.place(from: start), preposition: preposition, subject: .globs(globs))
    }
    guard let word = current.word, let role = TargetSyntax.Role(rawValue: word) else {
      guard preposition != nil else { return nil }
      throw unknownRole()
    }
    advance()
    let reference = role.hasName ? try self.reference("the \(role.rawValue)'s name") : nil
    return TargetSyntax(
      place: place(from: start), preposition: preposition, subject: .role(role, reference))
  }

  private mutating func unknownRole() -> Failure {
    let roles = TargetSyntax.Role.allCases.map(\.rawValue)
    guard let word = current.word else {
      return fail("a file is missing here: page p1, image photo, document, \"glob\", before \(current.spelling)")
    }
    switch word {
    case "asset", "photo", "picture": return fail("unknown file '\(word)' - did you mean 'image NAME'?")
    case "index": return fail("unknown file '\(word)' - did you mean 'document'?")
    case "snapshot", "content": return fail("unknown file '\(word)' - did you mean 'page p1'?")
    default: break
    }
    let near = Spelling.suggestion(for: word, among: roles)
    return fail(
      "unknown file '\(word)'" + (near.isEmpty ? " - write 'page \(word)', 'image \(word)', or a \"glob\"" : near))
  }

  private mutating func selector() throws(Failure) -> SelectorSyntax? {
    let start = current.place
    let kind: SelectorSyntax.Kind
    switch current.word {
    case "nth":
      advance()
      kind = .nth(try number("which one"))
    case "every":
      advance()
      kind = .every(try number("every how many"))
    case "after-bytes":
      advance()
      kind = .afterBytes(try size("after how much"))
    case "probability":
      advance()
      guard case .number(let digits, _) = current.kind, digits.contains(".") else {
        throw fail("a probability has a point: 0.05, 1.0")
      }
      kind = .probability(try numeral("the probability"))
    case "times":
      advance()
      kind = .times(try number("how often"))
    case "before", "during", "after":
      kind = .phase(FaultPhase(rawValue: current.word ?? "") ?? .before)
      advance()
    default: return nil
    }
    return SelectorSyntax(place: place(from: start), kind: kind)
  }
}
