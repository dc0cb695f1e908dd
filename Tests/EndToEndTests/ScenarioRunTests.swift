import Files
import Glibc
import JSON
import Processes
import TestSupport
import Testing

extension MountTests {
  /// `lnote-scenario run` on live mounts.
  @Suite struct ScenarioRunTests {
    /// What a passing run of Scenarios/photo-power-cut.scn says, its time masked.
    static let photoPowerCut = """
      battery dies between photo and page            snapshot, posix-weakest, live mount
         5  power-cut on rename of page p1           fired once, at operation 11 of 11
         9  reopen                                   page p1: 0 elements
        10  expect fsck never asset-missing          yes
        11  expect fsck no-loss                      yes; found asset-orphan (LN4002) x1
        12  repair                                   1 photo that no page uses: set aside
        13  expect fsck clean                        yes
      passed in # s

      """

    private static let neverSynced = """
      the photo, with a store that never syncs       snapshot, posix-weakest, durability none, live mount
         9  background                               saved 1 page
        10  power-cut                                only what was synced is kept
        11  reopen                                   page p1: 0 elements
        12  expect p1 at-least last-durable          NO: 2 elements missing
      FAILED in # s
      promised 1 stroke, 1 photo, 1 page; kept 0 strokes, 0 photos, 1 page
      run again: lnote-scenario run Scenarios/photo-never-synced.scn

      """

    /// Runs in the repository, so that its scenarios are named as a user names them.
    private func run(_ words: [String], in workshop: Workshop) throws -> ProgramResult {
      var launch = try workshop.launch("lnote-scenario", words)
      launch.workingDirectory = repositoryRoot.bytes
      return try launch.run(limitMilliseconds: Workshop.millisecondsMax)
    }

    /// Copies scenarios of the repository into the workshop, with photos that are quicker to carry about.
    private func copySmall(_ names: [String], to workshop: Workshop) throws {
      let scenarios = try HostVolume(root: repositoryRoot.appending("Scenarios"))
      for name in names {
        let text = String(decoding: try scenarios.bytes(of: BytePath(name)), as: UTF8.self)
        try workshop.volume().make(BytePath(name), text: text.replacing("2MiB", with: "20KiB"))
      }
    }

    @Test func whatAPassingRunSays() throws {
      let workshop = try Workshop()
      let result = try run(["run", "Scenarios/photo-power-cut.scn"], in: workshop)
      #expect(result.maskedOutput == Self.photoPowerCut)
      #expect(result.errorText == "")
      #expect(result.ending == .exited(0))
      #expect(try workshop.leftBehind() == [])
    }

    @Test func whatAConvictingRunSays() throws {
      let workshop = try Workshop()
      let result = try run(["run", "Scenarios/photo-never-synced.scn"], in: workshop)
      #expect(result.maskedOutput == Self.neverSynced)
      #expect(result.errorText == "")
      #expect(result.ending == .exited(1))
      #expect(try workshop.leftBehind() == [])
    }

    /// A state that is chosen by words is the same on a mount, whose log it is made of, as in process.
    @Test func aChosenStateIsTheSameThroughBothDoors() throws {
      let workshop = try Workshop()
      let text = """
        scenario v1 "chosen"
        durability none
        model ext4-ordered, posix-weakest
        document "Trip" { page p1 strokes 2 points 20 }
        stroke p1 points 200
        background
        power-cut losing rename of document, rename of manifest
        reopen
        stroke p1 points 9
        power-cut losing write of page p1 bytes 0B..64KiB on rename of page p1 after { background }
        fsck
        reopen
        expect p1 equals latest
        """
      try workshop.volume().make("chosen.scn", text: text)
      var lines: [JSONValue?] = []
      for door in ["--fast", "--live"] {
        let result = try workshop.run("lnote-scenario", ["run", door, "--json", "-", "chosen.scn"])
        #expect(result.ending == .exited(1), "\(result.outputText)\(result.errorText)")
        let report = try JSONValue.parse(Array(result.outputText.utf8)).array?.first
        lines.append(report?["cases"]?.array?.first?["lines"])
      }
      #expect(lines[0] == lines[1])
      let results = lines[0]?.array?.compactMap { $0["result"]?.string } ?? []
      #expect(results.contains("possible on posix-weakest"), "\(results)")
      #expect(
        results.contains { $0.hasPrefix("fired once") && $0.hasSuffix("possible on ext4-ordered, posix-weakest") })
      #expect(try workshop.leftBehind() == [])
    }

    @Test func aMisspeltWordRunsNothing() throws {
      let workshop = try Workshop()
      let good = "scenario v1 \"good\"\ndocument \"Trip\" { page p1 }\nstroke p1 points 5\n"
      let bad = """
        scenario v1 "bad"
        document "Trip" { page p1 }
        with EIO on renam of page p1 nth 1 { background }

        """
      try workshop.volume().make("good.scn", text: good)
      try workshop.volume().make("bg.scn", text: bad)
      let result = try workshop.run("lnote-scenario", ["run", "--keep", "kept", "good.scn", "bg.scn"])
      #expect(result.outputText == "")
      #expect(
        result.errorText == """
          bg.scn:3:13: error: unknown operation 'renam' - did you mean 'rename'?
            with EIO on renam of page p1 nth 1 { background }
                        ^~~~~

          """)
      #expect(result.ending == .exited(2))
      #expect(try workshop.volume().tree() == ["bg.scn", "good.scn"])
      // Without the wrong one it runs, so it was that one that stopped it.
      #expect(try workshop.run("lnote-scenario", ["run", "--keep", "kept", "good.scn"]).ending == .exited(0))
      #expect(try workshop.volume().tree().contains("kept/repaired"))
    }

    @Test func aFaultThatNeverFiresProvesNothing() throws {
      let workshop = try Workshop()
      let text = """
        scenario v1 "a fault that never comes"
        document "Trip" { page p1 }
        with EIO on rename of page p1 nth 50 { stroke p1 points 5; background }

        """
      try workshop.volume().make("never.scn", text: text)
      let result = try workshop.run("lnote-scenario", ["run", "never.scn"])
      #expect(
        result.maskedOutput == """
          a fault that never comes                       snapshot, posix-weakest, live mount
             3  with EIO on rename of page p1 nth 50     never fired
             3  background                               saved 1 page
          inconclusive after # s: nothing is proved either way
            line 3: 'with EIO on rename of page p1 nth 50' never fired, so nothing was tested
          run again: lnote-scenario run never.scn

          """)
      #expect(result.errorText == "")
      #expect(result.ending == .exited(3))
      #expect(try workshop.leftBehind() == [])
    }

    /// The same plan on both doors: the same lines, down to the number of the operation at which a fault fired.
    @Test func bothDoorsSayTheSame() throws {
      let workshop = try Workshop()
      let repository = try HostVolume(root: repositoryRoot)
      let files = try ["Scenarios", "Scenarios/cases"].flatMap { (folder: BytePath) in
        try repository.entries(of: folder, countMax: 1000).map { folder.appending($0.name) }
      }
      let scenarios = files.map(\.description).filter { $0.hasSuffix(".scn") }.sorted()
      #expect(scenarios.count >= 19)
      let fast = try run(["run", "--fast"] + scenarios, in: workshop)
      let live = try run(["run", "--live"] + scenarios, in: workshop)
      #expect(live.maskedOutput.replacing("live mount", with: "in process") == fast.maskedOutput)
      #expect(live.maskedOutput.contains(", live mount\n") && fast.maskedOutput.contains(", in process\n"))
      #expect(fast.maskedOutput.contains(", at operation "))
      // Some of them are made to fail.
      #expect([fast.ending, live.ending] == [.exited(1), .exited(1)])
      #expect(fast.errorText + live.errorText == "")
      #expect(try workshop.leftBehind() == [])
    }

    @Test func keepsWhatCrashedAndWhatWasRepaired() throws {
      let workshop = try Workshop()
      let scenarios = ["photo-power-cut.scn", "torn-document.scn"]
      try copySmall(scenarios, to: workshop)
      let result = try workshop.run("lnote-scenario", ["run", "--keep", "kept"] + scenarios)
      #expect(result.ending == .exited(0))
      #expect(result.outputText.contains("kept: \(workshop.path)/kept/photo-power-cut\n"))
      let kept = try HostVolume(root: workshop.path.appending("kept"))
      let names = try kept.entries(of: "torn-document", countMax: 100).map(\.name.description)
      #expect(
        names.sorted() == [
          "both-names", "done-but-error", "neither-name", "not-done", "old-target", "source-only", "target-empty",
          "target-holes", "target-prefix", "target-zeros",
        ])
      let cases = ["photo-power-cut"] + names.map { "torn-document/\($0)" }
      for one in cases {
        for state in ["crashed", "repaired"] {
          let packages = try kept.entries(of: BytePath("\(one)/\(state)"), countMax: 100)
          #expect(packages.contains { $0.name.hasSuffix(".lnote") && $0.kind == .directory }, "\(one)/\(state)")
        }
        #expect(try kept.entries(of: BytePath(one), countMax: 100).count == 2, "\(one)")
      }
      // Crashed is what the cut left, repaired what the repair made of it.
      let torn = try kept.tree(below: "torn-document/target-empty/crashed").first { $0.hasSuffix("/document.json") }
      #expect(try kept.bytes(of: try #require(torn)) == [])
      let mended = BytePath(try #require(torn).description.replacing("/crashed/", with: "/repaired/"))
      #expect(try kept.bytes(of: mended).count > 100)
      #expect(try workshop.leftBehind() == [])
    }

    @Test func theReportAsJSON() throws {
      let workshop = try Workshop()
      let files = ["photo-power-cut.scn", "photo-never-synced.scn"]
      try copySmall(files, to: workshop)
      let result = try workshop.run("lnote-scenario", ["run", "--json", "-"] + files)
      #expect(result.ending == .exited(1))
      let reports = try #require(try JSONValue.parse(result.output).array)
      #expect(reports.map { $0["verdict"]?.string } == ["passed", "failed"])
      #expect(reports.map { $0["file"]?.string } == files)
      #expect(reports.map { $0["setting"]?.string?.hasSuffix("live mount") } == [true, true])
      #expect(reports[1]["promised"]?["strokes"]?.integer == 1)
      #expect(reports[1]["kept"]?["strokes"]?.integer == 0)
      let convicted = reports.map { report in
        report["cases"]?.array?.flatMap { $0["lines"]?.array ?? [] }.filter { $0["holds"]?.bool == false }
          .compactMap { $0["result"]?.string }
      }
      #expect(convicted == [[], ["NO: 2 elements missing"]])

      // Into a file it goes beside the text.
      let beside = try workshop.run("lnote-scenario", ["run", "--json", "report.json", files[0]])
      #expect(beside.maskedOutput.hasSuffix("expect fsck clean                        yes\npassed in # s\n"))
      let written = try JSONValue.parse(try workshop.volume().bytes(of: "report.json"))
      #expect(written.array?.map { $0["verdict"]?.string } == ["passed"])
    }
  }
}
