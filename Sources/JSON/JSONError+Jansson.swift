import CJansson

extension JSONError {
  /// Jansson's error, with the place where its token begins.
  init(_ failure: json_error_t, in bytes: [UInt8]) {
    var failure = failure
    let code = UInt32(cjansson_error_code(&failure))
    let text = String(cString: cjansson_error_text(&failure))
    let position = min(max(Int(failure.position), 0), bytes.count)
    self.init(JSONError.kind(of: code), at: position, of: bytes, text)
  }

  private static func kind(of code: UInt32) -> Kind {
    switch code {
    case json_error_premature_end_of_input.rawValue: .endsEarly
    case json_error_end_of_input_expected.rawValue: .trailing
    case json_error_invalid_utf8.rawValue: .notUTF8
    case json_error_duplicate_key.rawValue: .duplicateKey
    case json_error_numeric_overflow.rawValue: .numberOutOfRange
    case json_error_null_character.rawValue, json_error_null_byte_in_key.rawValue: .zeroCharacter
    case json_error_stack_overflow.rawValue: .tooDeep
    default: .syntax
    }
  }
}
