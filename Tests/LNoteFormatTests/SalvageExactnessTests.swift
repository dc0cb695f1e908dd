import Files
import JSON
import Processes
import TestSupport
import Testing

@testable import LNoteFormat

/// A page of 1,500 strokes, damaged at many places: exactly the strokes whose bytes changed are lost, never one more.
@Suite struct SalvageExactnessTests {
  /// How many damaged pages; many more at night.
  static let tries = Host.environment("LNOTE_SALVAGE_TRIES").flatMap(Int.init) ?? 15

  @Test func exactlyTheStrokesWhoseBytesChangedAreLost() throws {
    let whole = DamagedPage(strokes: 1500)
    var random = SeededGenerator(seed: 1500)
    var hits = 0
    for number in 0..<SalvageExactnessTests.tries {
      var page = whole
      for _ in 0..<Int.random(in: 1...8, using: &random) { page.damage(using: &random) }
      let left = page.strokesLeft
      hits += 1500 - left.count
      let saved = PageSalvage.salvage(page.bytes, expecting: Samples.pageID, generationHint: 7)
      let label = Comment(rawValue: "case \(number): \(page.damages.joined(separator: ", "))")
      #expect(saved.marks.compactMap(\.id) == left.compactMap { whole.elements[$0].id }, label)
      #expect(saved.elements == left.map { whole.elements[$0] }, label)
      // A cut stroke is never passed off as a whole one, and its points are its own.
      if let partial = saved.partial {
        let original = whole.elements.first { $0.id == partial.stroke.id }
        #expect(!saved.marks.contains { $0.id == partial.stroke.id }, label)
        guard case .stroke(let stroke) = original, page.isOnlyCut else { continue }
        #expect(Array(stroke.samples.prefix(partial.stroke.samples.count)) == partial.stroke.samples, label)
        #expect(stroke.samples.count == partial.stroke.samples.count + partial.samplesMissing, label)
      }
    }
    #expect(hits > SalvageExactnessTests.tries)
  }

  /// The same with a reader that shares no code with the toolkit as the judge.
  @Test func theIndependentReaderFindsTheSame() throws {
    let whole = DamagedPage(strokes: 150)
    var random = SeededGenerator(seed: 150)
    let directory = try TemporaryDirectory("salvage")
    let volume = try directory.volume()
    let pages = (0..<12).map { _ in
      var page = whole
      for _ in 0..<Int.random(in: 1...6, using: &random) { page.damage(using: &random) }
      return page
    }
    for (number, page) in pages.enumerated() { try volume.make(BytePath("\(number)"), page.bytes) }
    let reader = repositoryRoot.appending("Tests/Fixtures/reader/lnote_reader.py").description
    var launch = Launch(
      "/usr/bin/python3", [reader, "--salvage", "\(Samples.pageID)", "7"] + pages.indices.map { "\($0)" })
    launch.workingDirectory = directory.path.bytes
    let result = try launch.run(limitMilliseconds: 60_000)
    #expect(result.ending.isSuccess, "\(result.errorText)")
    let answers = try result.output.split(separator: UInt8(ascii: "\n")).map { try JSONValue.parse(Array($0)) }
    try #require(answers.count == pages.count)
    for (page, answer) in zip(pages, answers) {
      let saved = PageSalvage.salvage(page.bytes, expecting: Samples.pageID, generationHint: 7)
      let label = Comment(rawValue: page.damages.joined(separator: ", "))
      #expect(answer.array?.map { $0["id"]?.string } == saved.elements.map { $0.id.map { "\($0)" } }, label)
    }
  }
}

/// A page file that is damaged step by step, and knows of each byte where it stood before.
struct DamagedPage {
  let elements: [PageElement]
  private(set) var bytes: [UInt8]
  private(set) var damages: [String] = []
  private let original: [UInt8]
  private let frames: [Range<Int>]
  // The place that each byte had in the whole file; -1 for one that was put in.
  private var origins: [Int32]

  init(strokes: Int) {
    var page = Samples.page(strokes: strokes, samples: 8)
    for index in page.elements.indices {
      guard case .stroke(var stroke) = page.elements[index] else { continue }
      stroke.samples.removeLast(index * 5 % 8)
      page.elements[index] = .stroke(stroke)
    }
    elements = page.elements
    original = page.encoded()
    bytes = original
    origins = (0..<Int32(original.count)).map { $0 }
    var frames: [Range<Int>] = []
    var start = PageLimits.headerBytes
    for element in elements {
      frames.append(start..<(start + PageLimits.framePrefixBytes + element.payloadLength))
      start = frames[frames.count - 1].upperBound
    }
    self.frames = frames
  }

  /// True where nothing happened to the file but that its end is gone.
  var isOnlyCut: Bool { damages.allSatisfy { $0.hasPrefix("cut") } }

  /// The strokes whose bytes all stand there, one behind the other.
  ///
  /// Where bytes were taken out or put in, others of the same value may have come to stand in their place.
  var strokesLeft: [Int] {
    var places = [Int](repeating: -1, count: original.count)
    for (place, origin) in origins.enumerated() where origin >= 0 { places[Int(origin)] = place }
    return frames.indices.filter { index in
      let frame = frames[index]
      let (first, last) = (places[frame.lowerBound], places[frame.upperBound - 1])
      let starts = [first, last < 0 ? -1 : last - frame.count + 1]
      return starts.contains { start in
        start >= 0 && start + frame.count <= bytes.count
          && original[frame].elementsEqual(bytes[start..<(start + frame.count)])
      }
    }
  }

  /// One damage of a random kind.
  mutating func damage(using random: inout SeededGenerator) {
    guard bytes.count > 2 else { return }
    let kind = Int.random(in: 0..<9, using: &random)
    var start = Int.random(in: bytes.indices, using: &random)
    var end = min(bytes.count, start + Int.random(in: 1...(kind % 2 == 0 ? 9 : 4000), using: &random))
    switch kind {
    case 0, 1:
      bytes[start] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      damages.append("bit at \(start)")
    case 2, 3:
      for place in start..<end { bytes[place] = UInt8.random(in: 0...255, using: &random) }
      damages.append("noise at \(start)..<\(end)")
    case 4, 5:
      start = start / 512 * 512
      end = min(bytes.count, max(end, start + 512))
      for place in start..<end { bytes[place] = 0 }
      damages.append("zeros at \(start)..<\(end)")
    case 6:
      remove(start..<end)
    case 7:
      let junk = (start..<end).map { _ in UInt8.random(in: 0...255, using: &random) }
      bytes.insert(contentsOf: junk, at: start)
      origins.insert(contentsOf: junk.map { _ in -1 }, at: start)
      damages.append("\(junk.count) bytes put in at \(start)")
    default:
      // A length field of a stroke, or a byte of the header.
      let place = Bool.random(using: &random) ? frames.randomElement(using: &random)?.lowerBound ?? 0 : start % 84
      if place < bytes.count { bytes[place] ^= UInt8.random(in: 1...255, using: &random) }
      damages.append("byte at \(place)")
    }
    if damages.count == 1, Int.random(in: 0..<5, using: &random) == 0 {
      let count = bytes.count - Int.random(in: 0..<bytes.count, using: &random)
      bytes.removeLast(bytes.count - count)
      origins.removeLast(origins.count - count)
      damages.append("cut to \(count)")
    }
  }

  private mutating func remove(_ part: Range<Int>) {
    bytes.removeSubrange(part)
    origins.removeSubrange(part)
    damages.append("\(part) taken out")
  }
}
