import Testing

@testable import Files

@Suite struct LockTableTests {
  static let text = """
    1: POSIX  ADVISORY  WRITE 11 fd:00:100 0 EOF
    2: FLOCK  ADVISORY  WRITE 22 fd:00:100 0 EOF
    2: -> FLOCK  ADVISORY  WRITE 33 fd:00:100 0 EOF
    3: FLOCK  ADVISORY  WRITE 44 00:2a:7 0 EOF
    4: FLOCK  ADVISORY  READ  0 fd:00:8 0 EOF
    5: FLOCK  ADVISORY
    6: FLOCK  ADVISORY  WRITE x fd:00:9 0 EOF
    7: FLOCK  ADVISORY  WRITE 55 fd:9 0 EOF
    8: FLOCK  ADVISORY  WRITE 66 12345:abcde:9 0 EOF

    """

  static let rows: [(device: UInt64, inode: UInt64, holder: Int32?)] = [
    (0xFD00, 100, 22), (0xFD00, 101, nil), (0xFD01, 100, nil), (0x2A, 7, 44), (0xFD00, 8, nil), (0xFD00, 9, nil),
    // The upper bits of major and minor stand apart from the lower ones.
    (0x12_000 << 32 | 0x345 << 8 | 0xDE | 0xABC00 << 12, 9, 66),
  ]

  @Test(arguments: rows) func finds(device: UInt64, inode: UInt64, holder: Int32?) {
    #expect(LockTable(text: Array(Self.text.utf8)).holder(device: device, inode: inode) == holder)
  }
}
