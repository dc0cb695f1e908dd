import Bytes
import Testing

@Suite struct Base64Tests {
  @Test(
    arguments: [
      ([], ""), ([0x66], "Zg=="), ([0x66, 0x6F], "Zm8="), ([0x66, 0x6F, 0x6F], "Zm9v"),
      ([0x66, 0x6F, 0x6F, 0x62], "Zm9vYg=="), ([0xFB, 0xFF], "+/8="),
    ] as [([UInt8], String)])
  func thereAndBack(_ bytes: [UInt8], _ text: String) {
    #expect(Base64.text(of: bytes) == text)
    #expect(Base64.bytes(of: text) == bytes)
  }

  @Test(arguments: ["Z", "Zg", "Zg=", "Zh==", "Zg=a", "====", "Zm9v\n", "Zm-v", "=Zg="]) func whatIsNone(_ text: String)
  {
    #expect(Base64.bytes(of: text) == nil)
  }
}
