import Files
import Testing

struct ErrnoNumbersTests {
  /// Linux numbers its errors from 1 to 133 and leaves 41 and 58 out.
  @Test func everyErrorOfTheKernelHasAName() {
    for number in 1...133 as ClosedRange<CInt> where number != 41 && number != 58 {
      let name = Errno(rawValue: number).name
      #expect(Errno(name: name)?.rawValue == number, "\(number) is \(name)")
    }
    #expect(Set(Errno.numbers.map(\.name)).count == Errno.numbers.count)
    for number in [41, 58, 134] as [CInt] { #expect(Errno(rawValue: number).name == "errno \(number)") }
  }

  @Test func secondNamesAreUnderstood() {
    #expect(Errno(name: "EOPNOTSUPP") == Errno(name: "ENOTSUP"))
    #expect(Errno(name: "EWOULDBLOCK")?.name == "EAGAIN")
    #expect(Errno(name: "EFUN") == nil)
  }
}
