import Files

extension OperationRecord {
  /// The record as a line for people. Number, counted number, kind, paths, what came of it, who and which fault.
  ///
  ///     14 [9] write pages/a.tmp 8192+4096 = 1024 by 4711 !f1
  ///     15 [10] rename a.tmp -> a: ENOSPC by 4711
  package var line: String {
    if let mark { return "\(number) [-] \(kind.rawValue) \(OperationRecord.escaped(mark.utf8))" }
    var line = "\(number) [\(countedNumber.map(String.init) ?? "-")] \(kind.rawValue) "
    line += path.isRoot ? "/" : OperationRecord.escaped(path.bytes)
    if let otherPath { line += " -> \(OperationRecord.escaped(otherPath.bytes))" }
    switch kind {
    case .write, .read, .allocate: line += " \(offset)+\(lengthAsked)"
    case .truncate: line += " to \(offset)"
    case .create, .mkdir, .setattr: line += " 0\(String(argument, radix: 8))"
    case .rename where argument == 1: line += " (no replace)"
    case .rename where argument == 2: line += " (exchange)"
    default: break
    }
    if lengthTaken != lengthAsked && errno == nil { line += " = \(lengthTaken)" }
    if let errno { line += ": \(errno.name)" }
    line += " by \(thread)"
    if let firedRule { line += " !\(OperationRecord.escaped(firedRule.utf8))" }
    return line
  }

  /// The text with `\xNN` for control characters, backslashes and what is no UTF-8, so that a terminal is safe.
  static func escaped(_ bytes: some Collection<UInt8>) -> String {
    let isText = String(validating: bytes, as: UTF8.self) != nil
    var text: [UInt8] = []
    let digits = Array("0123456789abcdef".utf8)
    for byte in bytes {
      if byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "\\") || (byte >= 0x80 && !isText) {
        text += [UInt8(ascii: "\\"), UInt8(ascii: "x"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      } else {
        text.append(byte)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
