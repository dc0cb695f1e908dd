import FaultDisk
import FileTracing
import Files
import JSON
import LNoteFormat
import Rendering
import TestSupport
import Testing

@testable import LNoteFsck

@Suite struct RepairTests {
  static let safe: [(name: String, found: String, left: String)] = [
    ("an unused image", "LN4002", ""), ("a manifest that is missing", "LN5001", ""),
    ("a page that is missing", "LN2005", "LN2005"), ("an entry that lags", "LN2007", ""),
    ("bytes behind a page", "LN3003", "LN3003"), ("a newer temporary page", "LN1502", "LN1502"),
    ("an older page without its image", "LN2018 LN4003", "LN2018 LN4003"),
    ("another page over the page with the image", "LN1104 LN4003", "LN1104 LN4003"),
    ("an image under another name of an image", "LN1503", ""),
  ]

  @Test(arguments: safe) func theSafeModeDoesOnlyTheAutomaticClass(name: String, found: String, left: String) throws {
    let bench = try Bench()
    switch name {
    case "an unused image": try bench.put(Bench.picture, at: PackagePaths.asset(Bench.free))
    case "a manifest that is missing": try bench.remove(PackagePaths.manifest)
    case "a page that is missing": try bench.remove(PackagePaths.page(Bench.pages[0]))
    case "an entry that lags": try bench.write(page: 0) { $0.generation = 6 }
    case "an older page without its image":
      try bench.write(page: 1) { page in
        page.generation = 4
        page.elements.removeLast()
      }
    case "another page over the page with the image":
      try bench.put(bench.snapshots[0].encoded(), at: PackagePaths.page(Bench.pages[1]))
    case "an image under another name of an image":
      try bench.volume.rename(
        Bench.package.appending(PackagePaths.asset(Bench.asset)),
        to: Bench.package.appending(PackagePaths.asset(Bench.free)))
    case "bytes behind a page": try bench.damage(PackagePaths.page(Bench.pages[0])) { $0.append(0) }
    default: try bench.writeTemporary(page: 0) { $0.generation = 6 }
    }
    let report = bench.repair(.automatic)
    #expect(codes(report.found) == found)
    #expect(codes(report.left) == left)
    for problem in report.repaired { #expect(problem.repairClass == .automatic) }
  }

  @Test func aCutStrokeKeepsItsPointsAndTheLossIsTold() throws {
    let bench = try Bench()
    // Three strokes of 10 points; 33 bytes are two points and a bit of a third.
    try bench.damage(PackagePaths.page(Bench.pages[0])) { $0 = Array($0.dropLast(33)) }
    let problem = try #require(bench.check().found.first)
    #expect(problem.loss == ContentLoss(elements: 0, samples: 3))
    #expect(problem.recovered?.elements == 2)
    #expect(problem.recovered?.partial == CutStroke(samples: 7, samplesBefore: 10))
    #expect(bench.repair().exit.rawValue == 5)
    let page = try bench.page(0)
    #expect(page.elements.count == 3)
    #expect(page.generation == 6)
    guard case .stroke(let stroke) = page.elements[2] else {
      Issue.record("no stroke")
      return
    }
    #expect(stroke.samples == Array(Bench.stroke(3, samples: 10).samples.prefix(7)))
    let entry = try bench.readDocument().pages[0]
    #expect(entry.generation == 6)
    #expect(entry.elementCount == 3)
    #expect(entry.losses.map(\.samples) == [3])
    #expect(entry.losses.map(\.lostGeneration) == [5])
  }

  @Test func aMissingPageKeepsItsPlaceItsCountAndTheLoss() throws {
    let bench = try Bench()
    try bench.remove(PackagePaths.page(Bench.pages[0]))
    _ = bench.repair()
    let entry = try bench.readDocument().pages[0]
    #expect(entry.id == Bench.pages[0])
    #expect(entry.elementCount == 3)
    #expect(entry.losses.map(\.elements) == [3])
    #expect(entry.losses.map(\.code) == ["LN2005"])
    #expect(try bench.page(0).elements.isEmpty)
    #expect(try bench.page(0).generation == entry.generation)
  }

  @Test func aPageThatComesBackHealsAndItsLossIsGone() throws {
    let bench = try Bench()
    let path = PackagePaths.page(Bench.pages[0])
    let whole = try bench.bytes(path)
    try bench.damage(path) { $0 = Array($0.prefix(200)) }
    #expect(bench.repair().exit.rawValue == 5)
    try bench.put(whole, at: path)
    let report = bench.repair()
    #expect(codes(report.found) == "LN9002")
    #expect(report.exit.rawValue == 1)
    #expect(try bench.page(0).elements == bench.snapshots[0].elements)
    #expect(try bench.readDocument().pages[0].losses.isEmpty)
    #expect(codes(bench.check().found) == "")
  }

  @Test func anImageThatComesBackHeals() throws {
    let bench = try Bench()
    try bench.put([], at: PackagePaths.asset(Bench.asset))
    #expect(bench.repair().exit.rawValue == 5)
    try bench.put(Bench.picture, at: PackagePaths.asset(Bench.asset))
    #expect(bench.repair().exit.rawValue == 1)
    #expect(codes(bench.check().found) == "")
  }

  @Test func whatTheAppDrawsAfterARepairHealsNothing() throws {
    let bench = try Bench()
    try bench.damage(PackagePaths.page(Bench.pages[0])) { $0 = Array($0.prefix(200)) }
    _ = bench.repair()
    var page = try bench.page(0)
    page.generation += 1
    page.elements += (50..<60).map { .stroke(Bench.stroke($0, samples: 2)) }
    try bench.put(page.encoded(), at: PackagePaths.page(page.id))
    _ = bench.repair()
    let report = bench.check()
    #expect(codes(report.found) == "LN9001")
    #expect(report.exit.rawValue == 4)
  }

  @Test func knownLossIsToldTheSameInEveryRun() throws {
    let bench = try Bench()
    try bench.put([], at: PackagePaths.page(Bench.pages[0]))
    try bench.put([], at: PackagePaths.document)
    #expect(bench.repair().exit.rawValue == 5)
    let after = try bench.picture()
    let words = (0..<2).map { _ in bench.repair().found.map(\.message) }
    #expect(words[0] == words[1])
    #expect(words[0].count == 1)
    #expect(bench.repair().exit.rawValue == 4)
    #expect(try bench.picture() == after)
  }

  @Test func theLedgerTellsEverythingThatWasSetAside() throws {
    let bench = try Bench()
    let path = PackagePaths.page(Bench.pages[0])
    try bench.damage(path) { $0[200] ^= 1 }
    let before = try bench.bytes(path)
    let report = bench.repair()
    let folder = try #require(report.lostAndFound)
    #expect(folder == BytePath("\(Bench.package)-lost+found/\(Bench.stampText)"))
    let lines = try JSONLines.parse(try bench.volume.bytes(of: folder.appending("index.jsonl")))
    #expect(
      lines.compactMap { $0["from"]?.string } == report.asides.map { Bench.package.appending($0.from).description })
    #expect(lines.allSatisfy { $0["code"]?.string?.hasPrefix("LN") == true && $0["why"]?.string?.isEmpty == false })
    #expect(lines.allSatisfy { $0["xxh3-128"]?.string?.count == 32 })
    #expect(try bench.volume.bytes(of: folder.appending(path)) == before)
    let thumbnail = folder.appending(PackagePaths.thumbnail(Bench.pages[0]))
    #expect(try bench.volume.status(at: thumbnail).kind == .regular)
  }

  @Test func aRepairedPageHasANewThumbnailOfWhatIsLeft() throws {
    let bench = try Bench()
    let thumbnail = PackagePaths.thumbnail(Bench.pages[1])
    // Page 2 shows an image, which stays; of page 3 there is no thumbnail, and one is made.
    try bench.damage(PackagePaths.page(Bench.pages[1])) { $0[200] ^= 1 }
    try bench.remove(PackagePaths.thumbnail(Bench.pages[2]))
    let others = try bench.bytes(PackagePaths.thumbnail(Bench.pages[0]))
    let report = bench.repair()
    #expect(report.exit == [.repaired, .errorsLeft])
    let page = try #require(PageReader.read(try bench.bytes(PackagePaths.page(Bench.pages[1]))).snapshot)
    let mark = Thumbnail(page: page.id, generation: page.generation)
    let file = try bench.bytes(thumbnail)
    #expect(Thumbnail.read(file) == mark)
    let scene = PageScene(canvas: page.canvas, elements: page.elements)
    #expect(file == mark.file(showing: scene) { _ in Bench.picture })
    #expect(file != mark.file(showing: scene) { _ in nil })
    #expect(file.count < Thumbnail.bytesMax)
    let folder = try #require(report.lostAndFound)
    #expect(try bench.volume.bytes(of: folder.appending(thumbnail)) == [0xFF, 0xD8, 0xFF, 0xD9])
    #expect(try bench.bytes(PackagePaths.thumbnail(Bench.pages[0])) == others)
    let drawn = Thumbnail.read(try bench.bytes(PackagePaths.thumbnail(Bench.pages[2])))
    #expect(drawn == Thumbnail(page: Bench.pages[2], generation: 5))
  }

  @Test func twoRepairsOfOneSecondHaveFoldersOfTheirOwn() throws {
    let bench = try Bench()
    try bench.remove(PackagePaths.manifest)
    try bench.put(Bench.picture, at: PackagePaths.asset(Bench.free))
    _ = bench.repair()
    try bench.put(Bench.picture, at: PackagePaths.asset(Bench.free))
    #expect(bench.repair().lostAndFound?.name == BytePath(Bench.stampText + "-2"))
  }

  @Test func aCutAnywhereInARepairIsTakenUpByTheNext() throws {
    for survivors in [SurvivingState.keepAll, .keepNone] {
      for nth: UInt64 in 1...200 {
        let bench = try Bench()
        try bench.damage(PackagePaths.page(Bench.pages[0])) { $0[200] ^= 1 }
        try bench.remove(PackagePaths.page(Bench.pages[1]))
        try bench.put(bench.snapshots[2].encoded(), at: Bench.temporary(PackagePaths.page(Bench.pages[2])))
        bench.disk.beginRecording()
        try bench.disk.arm(
          FaultRule(
            name: "cut", effect: .powerCut(survivors),
            operations: [.create, .write, .fsync, .rename, .link, .unlink, .mkdir],
            occurrence: FaultOccurrence(nth: nth)))
        _ = bench.repair()
        let didFire = !bench.disk.firings.isEmpty
        bench.disk.clearAll()
        bench.disk.restart()
        let again = Bench.Again(bench)
        let second = again.repair()
        #expect(codes(second.left) == "LN4003 LN9001 LN9001", "\(survivors) \(nth) \(second.actions)")
        let document = try again.document()
        #expect(document.pages.map { $0.losses.map(\.elements) } == [[1], [3], []], "\(survivors) \(nth)")
        #expect(again.repair().actions.isEmpty, "\(survivors) \(nth)")
        #expect(try again.strokes() == [2, 3], "\(survivors) \(nth)")
        if !didFire { break }
        if nth == 200 { Issue.record("the repair has more than 200 calls") }
      }
    }
  }

  @Test func aCutRepairOfAPageOfWhichNothingIsLeftCountsItsLossOnce() throws {
    for nth: UInt64 in 1...200 {
      let bench = try Bench()
      try bench.damage(PackagePaths.page(Bench.pages[0])) { $0 = Array($0.prefix(84)) }
      try bench.disk.arm(
        FaultRule(
          name: "cut", effect: .powerCut(.keepAll), operations: [.create, .write, .fsync, .rename, .link, .mkdir],
          occurrence: FaultOccurrence(nth: nth)))
      _ = bench.repair()
      let didFire = !bench.disk.firings.isEmpty
      bench.disk.clearAll()
      bench.disk.restart()
      let again = Bench.Again(bench)
      #expect(codes(again.repair().left) == "LN9001", "\(nth)")
      #expect(try again.document().pages.map { $0.losses.map(\.elements) } == [[3], [], []], "\(nth)")
      if !didFire { return }
    }
    Issue.record("the repair has more than 200 calls")
  }

  @Test func aCopyIsRepairedAndTheSourceStays() throws {
    let bench = try Bench()
    try bench.damage(PackagePaths.page(Bench.pages[0])) { $0[200] ^= 1 }
    let before = try bench.picture()
    let other = FaultDisk().volume()
    let fsck = Fsck(volume: bench.volume, now: Bench.now)
    let report = fsck.repairCopy(of: Bench.package, to: BytePath("deep/\(Bench.package)"), on: other)
    #expect(report.exit.rawValue == 5)
    #expect(try bench.picture() == before)
    let copy = Fsck(volume: other, now: Bench.now).check(BytePath("deep/\(Bench.package)"))
    #expect(codes(copy.found) == "LN9001")
    // A second copy to the same place is refused.
    let again = fsck.repairCopy(of: Bench.package, to: BytePath("deep/\(Bench.package)"), on: other)
    #expect(again.exit.rawValue == 12)
    // So is one where there is no room, and nothing of it is left.
    let small = FaultDisk()
    small.setFreeSpace(bytes: 1000)
    let full = small.volume()
    #expect(fsck.repairCopy(of: Bench.package, to: Bench.package, on: full).exit.rawValue == 12)
    #expect(try full.tree() == [])
  }
}
