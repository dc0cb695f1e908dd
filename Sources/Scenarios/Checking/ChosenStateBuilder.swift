import FileTracing

/// Turns `losing …` and `keeping …` into a chosen state; the resolver says which paths a target means.
struct ChosenStateBuilder {
  let environment: Environment
  let resolve: (TargetSyntax) throws(Diagnostic) -> FaultTarget

  /// What a crash keeps or loses as a whole; a range of a write begins at a multiple of this.
  static let blockBytes: UInt64 = 4096

  /// The state; nil where none is chosen, and the rule of the model decides.
  func state(_ loss: LossSyntax?) throws(Diagnostic) -> ChosenState? {
    switch loss?.kind {
    case .losing(let references): return ChosenState(.losing, try parts(references))
    case .keeping(let references): return ChosenState(.keeping, try parts(references))
    case nil, .keepAll, .keepNone: return nil
    }
  }

  private func parts(_ references: [OperationReference]) throws(Diagnostic) -> [ChosenState.Part] {
    var parts: [ChosenState.Part] = []
    for reference in references { parts.append(try part(reference)) }
    return parts
  }

  private func part(_ reference: OperationReference) throws(Diagnostic) -> ChosenState.Part {
    let operation = reference.operation
    var kinds: Set<OperationKind> = []
    if case .kind(let kind) = operation.value {
      guard OperationKind.losable.contains(kind) else {
        throw Diagnostic(
          .error, operation.place,
          "a crash does not lose '\(kind.rawValue)' - name what changes the disk: write, create, rename, unlink, …")
      }
      kinds = [kind]
    }
    let isOfTwoPaths = [.kind(.rename), .kind(.link)].contains(operation.value)
    if [.from, .to].contains(reference.target.preposition), !isOfTwoPaths {
      throw Diagnostic(.error, reference.target.place, "'from' and 'to' are for rename and link - write 'of'")
    }
    let nth = try reference.nth.map { (number) throws(Diagnostic) in
      UInt64(try environment.whole(number, "'nth'", in: 1...1_000_000_000))
    }
    let bytes = try reference.bytes.map { (size) throws(Diagnostic) in
      guard operation.value == .kind(.write) else {
        throw Diagnostic(.error, size.place, "only a write is kept in part - leave 'bytes' out, or write 'write of …'")
      }
      return try amount(size)
    }
    return ChosenState.Part(
      operations: kinds, target: try resolve(reference.target), nth: nth, bytes: bytes,
      spelling: StepPrinter(environment: environment).operation(reference))
  }

  /// `bytes 4KiB` is where the file ends, `bytes 0B..4KiB` are blocks.
  private func amount(_ size: SizeSyntax) throws(Diagnostic) -> ChosenState.Amount {
    guard case .range(let low, let high) = size.form else {
      return .upTo(try environment.size(size, "where the file ends"))
    }
    guard low % Self.blockBytes == 0 else {
      throw Diagnostic(.error, size.place, "a crash keeps or loses whole blocks - begin at a multiple of 4KiB")
    }
    guard low < high else { throw Diagnostic(.error, size.place, "this range is empty - write the smaller size first") }
    return .blocks(low..<high)
  }
}
