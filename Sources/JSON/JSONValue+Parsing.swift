import CJansson

extension JSONValue {
  /// The most bytes that `parse` looks at.
  package static let inputBytesMax = 1 << 30

  /// Reads exactly one value of any kind, with nothing but white space around it.
  ///
  /// Integers are Int64, every number with a point or an exponent is a real. Refused, besides what is no JSON: more
  /// than `depthMax` arrays and objects within each other, one key twice (also in two Unicode spellings), "\u0000",
  /// a byte order mark, bytes that are no UTF-8, numbers that Int64 or Double cannot hold.
  package static func parse(_ bytes: [UInt8], depthMax: Int = 64) throws(JSONError) -> JSONValue {
    if bytes.count > inputBytesMax {
      throw JSONError(kind: .tooLong, offset: 0, line: 1, column: 1, message: "more than \(inputBytesMax) bytes")
    }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      throw JSONError(.byteOrderMark, at: 0, of: bytes, "a byte order mark stands before the text")
    }
    // Jansson takes a zero byte for the end in some places and passes over it in others.
    if let offset = bytes.firstIndex(of: 0) { throw JSONError(.zeroCharacter, at: offset, of: bytes, "a zero byte") }
    if let offset = offsetDeeper(than: depthMax, in: bytes) {
      throw JSONError(.tooDeep, at: offset, of: bytes, "more than \(depthMax) arrays and objects within each other")
    }
    var failure = json_error_t()
    let flags = size_t(JSON_REJECT_DUPLICATES | JSON_DECODE_ANY)
    let tree = bytes.withUnsafeBytes { json_loadb($0.baseAddress, $0.count, flags, &failure) }
    guard let tree else { throw JSONError(failure, in: bytes) }
    defer { cjansson_release(tree) }
    do throws(TwoSpellings) {
      return try value(of: tree)
    } catch {
      throw error.located(in: bytes)
    }
  }

  /// Where the first array or object begins that lies deeper than `depthMax`; nil where none does.
  private static func offsetDeeper(than depthMax: Int, in bytes: [UInt8]) -> Int? {
    var depth = 0
    var isInString = false
    var isEscaped = false
    return bytes.withUnsafeBytes { bytes in
      var next = 0
      while next < bytes.count {
        let (offset, byte) = (next, bytes[next])
        next += 1
        if isInString {
          if isEscaped {
            isEscaped = false
          } else if byte == UInt8(ascii: "\\") {
            isEscaped = true
          } else if byte == UInt8(ascii: "\"") {
            isInString = false
          }
          continue
        }
        switch byte {
        case UInt8(ascii: "\""): isInString = true
        case UInt8(ascii: "["), UInt8(ascii: "{"):
          depth += 1
          if depth > depthMax { return offset }
        case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
        default: break
        }
      }
      return nil
    }
  }

  /// The value of jansson's tree, which is at most `depthMax` deep.
  private static func value(of tree: UnsafeMutablePointer<json_t>) throws(TwoSpellings) -> JSONValue {
    switch json_type(UInt32(cjansson_type(tree))) {
    case JSON_TRUE: return .bool(true)
    case JSON_FALSE: return .bool(false)
    case JSON_INTEGER: return .integer(json_integer_value(tree))
    case JSON_REAL: return .real(json_real_value(tree))
    case JSON_STRING: return .string(text(json_string_value(tree), json_string_length(tree)))
    case JSON_ARRAY:
      var elements: [JSONValue] = []
      elements.reserveCapacity(json_array_size(tree))
      for index in 0..<json_array_size(tree) {
        guard let element = json_array_get(tree, index) else { continue }
        elements.append(try value(of: element))
      }
      return .array(elements)
    case JSON_OBJECT:
      var members: [String: JSONValue] = [:]
      members.reserveCapacity(json_object_size(tree))
      var place = json_object_iter(tree)
      while let member = place {
        let key = text(json_object_iter_key(member), json_object_iter_key_len(member))
        // jansson compares keys by bytes, String by what they mean: é as one character or as two.
        if let element = json_object_iter_value(member), members.updateValue(try value(of: element), forKey: key) != nil
        {
          throw TwoSpellings(keys: [firstSpelling(of: key, in: tree), key])
        }
        place = json_object_iter_next(tree, member)
      }
      return .object(members)
    default: return .null
    }
  }

  /// The first of an object's keys that is the same text.
  private static func firstSpelling(of key: String, in tree: UnsafeMutablePointer<json_t>) -> String {
    var place = json_object_iter(tree)
    while let member = place {
      let other = text(json_object_iter_key(member), json_object_iter_key_len(member))
      if other == key { return other }
      place = json_object_iter_next(tree, member)
    }
    return key
  }

  private static func text(_ start: UnsafePointer<CChar>?, _ count: Int) -> String {
    String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
  }
}

/// Two keys of one object that are the same text in two Unicode spellings.
private struct TwoSpellings: Error {
  let keys: [String]

  func located(in bytes: [UInt8]) -> JSONError {
    // The later of the two, as far as they are written without escapes.
    let places = keys.map { key in
      let quoted = JSONValue.string(key).serialized()
      return bytes.indices.last { bytes[$0] == quoted[0] && bytes[$0...].starts(with: quoted) } ?? 0
    }
    return JSONError(
      .duplicateKey, at: places.reduce(0, max), of: bytes, "one key twice, in two Unicode spellings: \"\(keys[1])\"")
  }
}
