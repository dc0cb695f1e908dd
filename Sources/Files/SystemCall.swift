import Glibc

/// Makes a system call until no signal interrupts it; `errno` is read directly behind it.
func retrying<Number: SignedInteger>(_ call: () -> Number) -> Result<Number, Errno> {
  while true {
    let result = call()
    if result >= 0 { return .success(result) }
    let errno = Errno.current
    if errno != .eintr { return .failure(errno) }
  }
}

extension Result where Failure == Errno {
  /// What the call answered, or its failure with the call's name and paths.
  func of(_ call: String, _ paths: [BytePath]) throws(FileCallError) -> Success {
    switch self {
    case .success(let value): return value
    case .failure(let errno): throw FileCallError(call, paths, errno)
    }
  }
}

extension BytePath {
  /// Hands the bytes with a zero behind them to `body`, for as long as it runs.
  func withCString<Answer>(_ body: (UnsafePointer<CChar>) -> Answer) -> Answer {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: bytes.count + 1) { text in
      body(fill(text))
    }
  }

  /// The same with the path's parent and its last name, each with a zero behind it; the path has a slash.
  func withCStrings<Answer>(_ body: (_ parent: UnsafePointer<CChar>, _ name: UnsafePointer<CChar>) -> Answer) -> Answer
  {
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { preconditionFailure("\(self) has no parent") }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: bytes.count + 1) { text in
      let start = fill(text)
      text[slash] = 0
      return body(start, start + slash + 1)
    }
  }

  private func fill(_ text: UnsafeMutableBufferPointer<CChar>) -> UnsafePointer<CChar> {
    guard let start = text.baseAddress else { preconditionFailure("no room for \(bytes.count + 1) bytes") }
    UnsafeMutableRawBufferPointer(text).copyBytes(from: bytes)
    text.initializeElement(at: bytes.count, to: 0)
    return UnsafePointer(start)
  }
}
