import Testing

@testable import Terminal

struct FiguresTests {
  static let numbers: [(number: Int, shown: String)] = [
    (0, "0"), (999, "999"), (1000, "1,000"), (22336, "22,336"), (1_234_567, "1,234,567"), (-1000, "-1,000"),
    (Int.min, "-9,223,372,036,854,775,808"),
  ]

  @Test(arguments: numbers.indices) func groups(row: Int) {
    #expect(Figures.grouped(FiguresTests.numbers[row].number) == FiguresTests.numbers[row].shown)
  }

  @Test func counts() {
    #expect(Figures.counted(1, "page") == "1 page")
    #expect(Figures.counted(0, "page") == "0 pages")
    #expect(Figures.counted(1317, "library", "libraries") == "1,317 libraries")
  }

  static let sizes: [(bytes: Int, shown: String)] = [
    (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1.0 kB"), (1849, "1.8 kB"), (1850, "1.9 kB"),
    (9949, "9.9 kB"), (9950, "10 kB"), (55_000, "55 kB"), (999_499, "999 kB"), (999_500, "1.0 MB"),
    (1_234_567_890, "1.2 GB"), (Int.max, "9.2 EB"),
  ]

  @Test(arguments: sizes.indices) func measures(row: Int) {
    #expect(Figures.size(bytes: FiguresTests.sizes[row].bytes) == FiguresTests.sizes[row].shown)
  }

  static let times: [(milliseconds: Int, shown: String)] = [
    (0, "0.0 s"), (340, "0.3 s"), (9949, "9.9 s"), (9950, "10 s"), (41_000, "41 s"), (59_499, "59 s"),
    (59_500, "1 min"), (250_000, "4 min 10 s"), (7_500_000, "2 h 5 min"), (7_200_000, "2 h"),
  ]

  @Test(arguments: times.indices) func tells(row: Int) {
    #expect(Figures.time(milliseconds: FiguresTests.times[row].milliseconds) == FiguresTests.times[row].shown)
  }
}
