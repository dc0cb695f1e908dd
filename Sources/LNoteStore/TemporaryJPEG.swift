enum JPEGCheck {
  struct W { var isWhole: Bool }
  static func walk(_ b: [UInt8]) -> W { W(isWhole: b.starts(with: [0xFF, 0xD8]) && b.suffix(2) == [0xFF, 0xD9]) }
}
