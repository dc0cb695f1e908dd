import Files
import Glibc
import JSON
import Processes
import TestSupport
import Testing

/// `lnote-nightly` as it is used: a run, shards, kills, what it knows from earlier runs, and what it refuses.
@Suite struct NightlyTests {
  private static let passes = """
    scenario v1 "a stroke"
    document "Notes" { page p1 }
    stroke p1 points 5
    background
    expect fsck clean
    """
  private static let control = """
    scenario v1 "the control"
    durability none
    tags control
    document "Notes" { page p1 }
    stroke p1 points 5
    background
    power-cut
    reopen
    """
  private static let fails = Self.control.replacing("tags control\n", with: "")

  private func workshop(_ files: [(String, String)]) throws -> Workshop {
    let workshop = try Workshop()
    try workshop.volume().makeDirectory("set", permissions: 0o755)
    for (name, text) in files { try workshop.volume().make(BytePath("set/\(name)"), text: text) }
    return workshop
  }

  private func text(_ file: String, in workshop: Workshop) throws -> String {
    String(decoding: try workshop.volume().bytes(of: BytePath(file)), as: UTF8.self)
  }

  private func status(_ workshop: Workshop, _ words: [String]) throws -> Int {
    let result = try workshop.run("lnote-nightly", words)
    guard case .exited(let status) = result.ending else { return -1 }
    return status
  }

  @Test func aRunAndItsReports() throws {
    let workshop = try workshop([("a.scn", Self.passes), ("b.scn", Self.control)])
    let words = ["run", "--cases", "3", "--jobs", "2", "--build", "b1", "--corpus", "corpus", "--out", "one", "set"]
    let result = try workshop.run("lnote-nightly", words)
    #expect(result.ending == .exited(0), "\(result.errorText)")
    #expect(result.outputText.contains(" b1: CLEAN - 0 new, 0 back, 0 known, 0 fixed\n"))
    #expect(result.outputText.contains("5 of 5 cases"))
    #expect(result.outputText.contains("canary found: yes; 1 of 1 shard"))
    for file in ["summary.txt", "summary.md", "summary.json", "report.html", "junit.xml", "sarif.json"] {
      #expect(try !text("one/merged/\(file)", in: workshop).isEmpty)
    }
    #expect(try workshop.run("lnote-nightly", ["report", "one"]).outputText == result.outputText)
    // The same again has nothing left to do, and says the same.
    let again = try workshop.run("lnote-nightly", words)
    #expect(again.errorText.contains("5 cases are done"))
    let log = try text("one/shard-0001-of-0001.jsonl", in: workshop).split(separator: "\n")
    #expect(log.count { $0.contains("\"type\":\"case\"") } == 5)
    #expect(again.ending == .exited(0))
    #expect(try workshop.leftBehind() == [])
  }

  /// Chance makes several cases of a file: as many as its budget says, else twenty.
  @Test func drawsAreCases() throws {
    let some = Self.passes.replacing("points 5", with: "points 5..50")
    let workshop = try workshop([
      ("a.scn", some.replacing("document", with: "budget 3 cases\ndocument")), ("b.scn", some),
    ])
    let words = ["plan", "--cases", "0", "--build", "b", "--out", "one", "set"]
    #expect(try workshop.run("lnote-nightly", words).outputText.contains("23 cases that must be run"))
    #expect(try status(workshop, ["run", "--jobs", "1", "--out", "one"]) == 0)
    #expect(try text("one/merged/summary.txt", in: workshop).contains("23 of 23 cases"))
  }

  /// A failure is new, then known, then fixed by its own file, then back.
  @Test func oneNightAfterTheOther() throws {
    let workshop = try workshop([("a.scn", Self.fails)])
    func night(_ build: String) throws -> (status: Int, first: String) {
      let words = ["--cases", "0", "--jobs", "1", "--build", build, "--corpus", "corpus", "--out", build, "set"]
      let result = try workshop.run("lnote-nightly", ["run"] + words)
      guard case .exited(let status) = result.ending else { return (-1, "") }
      return (status, String(result.outputText.split(separator: "\n").first ?? ""))
    }
    var found = try night("b1")
    #expect(found.status == 1 && found.first.hasSuffix("b1: WORSE - 1 new, 0 back, 0 known, 0 fixed"), "\(found)")
    let file = "page-lost-stroke-store-had-called-durable-power-cut-none-snapshot-"
    let name = try workshop.volume().entries(of: "corpus/failing", countMax: 9).first?.name.description ?? ""
    #expect(name.hasPrefix(file.prefix(60)))
    #expect(try text("b1/repro/\(name)", in: workshop) == Self.fails)
    // The page is drawn as it should be and as it is, beside the file and in the report.
    let pictures = ["expected", "found"].map { BytePath("b1/repro/\(name.dropLast(4))-\($0).jpg") }
    for picture in pictures { #expect(try workshop.volume().bytes(of: picture).starts(with: [0xFF, 0xD8])) }
    let report = try text("b1/merged/report.html", in: workshop)
    #expect(report.contains("alt=\"page p1 as it is: an empty page; 1 stroke missing\""))
    found = try night("b2")
    #expect(found.status == 1 && found.first.hasSuffix("b2: SAME - 0 new, 0 back, 1 known, 0 fixed"), "\(found)")
    #expect(try status(workshop, ["verify", "--corpus", "corpus"]) == 1)
    // The store is mended: as far as this run can tell, since its file now syncs.
    for path in ["set/a.scn", "corpus/failing/\(name)"] {
      try workshop.volume().unlink(BytePath(path))
      try workshop.volume().make(BytePath(path), text: Self.passes)
    }
    #expect(try status(workshop, ["verify", "--corpus", "corpus"]) == 0)
    found = try night("b3")
    #expect(found.status == 0 && found.first.hasSuffix("b3: BETTER - 0 new, 0 back, 0 known, 1 fixed"), "\(found)")
    try workshop.volume().unlink("set/a.scn")
    try workshop.volume().make("set/a.scn", text: Self.fails)
    found = try night("b4")
    #expect(found.status == 1 && found.first.hasSuffix("b4: WORSE - 0 new, 1 back, 0 known, 0 fixed"), "\(found)")
    // Parked, it is told and no failure.
    let signature = "page-lost-stroke-store-had-called-durable/power-cut/none/snapshot"
    try workshop.volume().make("triage.txt", text: "park \(signature) LNOTE-1 2999-12-31 anna later\n")
    #expect(try status(workshop, ["merge", "b4", "--triage", "triage.txt"]) == 0)
    #expect(try status(workshop, ["merge", "b1", "--findings-exit", "0"]) == 0)
    #expect(try workshop.leftBehind() == [])
  }

  /// Any number of shards, a shard that was killed and run again: the same reports.
  @Test func shardsAndKills() throws {
    let workshop = try workshop([("a.scn", Self.fails), ("b.scn", Self.control)])
    func plan(_ folder: String, _ shards: Int) throws {
      let words = [
        "plan", "--cases", "4", "--model", "ext4-ordered", "--shards", "\(shards)", "--build", "b", "--out", folder,
        "set",
      ]
      #expect(try status(workshop, words) == 0)
    }
    func reports(_ folder: String) throws -> [String] {
      #expect(try status(workshop, ["merge", folder]) == 1)
      var json = try #require(
        try JSONValue.parse(Array(try text("\(folder)/merged/summary.json", in: workshop).utf8)).object)
      json["meta"] = nil
      let files = try workshop.volume().entries(of: BytePath("\(folder)/repro"), countMax: 99)
      let pictures = files.map(\.name.description).filter { $0.hasSuffix(".jpg") }.sorted()
      #expect(pictures.count >= 2)
      let bytes = try pictures.map { try workshop.volume().bytes(of: BytePath("\(folder)/repro/\($0)")).description }
      return pictures + bytes + [
        String(decoding: JSONValue.object(json).serialized(), as: UTF8.self),
        try text("\(folder)/merged/junit.xml", in: workshop).replacing("fast \(folder)/", with: "fast run/"),
        try text("\(folder)/merged/sarif.json", in: workshop),
      ]
    }
    try plan("one", 1)
    #expect(try status(workshop, ["run", "--out", "one", "--jobs", "2", "--no-merge"]) == 0)
    try plan("three", 3)
    #expect(try status(workshop, ["merge", "three"]) == 2)
    for shard in [2, 0] {
      #expect(try status(workshop, ["run", "--out", "three", "--jobs", "1", "--shard", "\(shard)"]) == 0)
    }
    // The last one is killed again and again: each time it goes on from where it was.
    for _ in 0..<3 {
      var launch = try workshop.launch("lnote-nightly", ["run", "--out", "three", "--jobs", "1", "--shard", "1"])
      launch.hasOwnGroup = true
      let child = try ChildProcess(launch)
      _ = try child.wait(milliseconds: 300)
      _ = try child.end()
    }
    // A line that was cut off when the power went is written over.
    let log = "three/shard-0002-of-0003.jsonl"
    let whole = try text(log, in: workshop)
    try workshop.volume().unlink(BytePath(log))
    try workshop.volume().make(BytePath(log), text: whole + String(repeating: "torn", count: 1000))
    var launch = try workshop.launch("lnote-nightly", ["run", "--out", "three", "--jobs", "1"])
    launch.environment.append(("SLURM_ARRAY_TASK_ID", "1"))
    let last = try launch.run(limitMilliseconds: Workshop.millisecondsMax)
    #expect(
      last.ending == .exited(0) && last.errorText.contains("2 of 3 shards (SLURM_ARRAY_TASK_ID)"), "\(last.errorText)")
    #expect(try reports("three") == reports("one"))
    #expect(try workshop.leftBehind() == [])
  }

  /// A worker that is killed is a failure; a signal to the supervisor ends all, and the run goes on later.
  @Test func aWorkersDeathIsTold() throws {
    let long = "scenario v1 \"long\"\ndocument \"Notes\" { page p1 }\nrepeat 20000 { stroke p1 points 200 }\n"
    let workshop = try workshop([("a.scn", long)])
    let words = ["run", "--cases", "0", "--jobs", "1", "--build", "b", "--out", "one", "set"]
    // A worker that has been given its case: one line more says so than before.
    func start(begunBefore: Int) throws -> (child: ChildProcess, worker: Int32) {
      let child = try ChildProcess(try workshop.launch("lnote-nightly", words))
      while true {
        let log = (try? self.text("one/shard-0001-of-0001.jsonl", in: workshop)) ?? ""
        let begun = log.split(separator: "\n").count { $0.contains("\"begun\"") }
        if begun > begunBefore, let worker = Self.children(of: child.id).first { return (child, worker) }
        _ = try waitReadable([], until: .after(milliseconds: 5))
      }
    }
    let stopped = try start(begunBefore: 0).child
    stopped.send(signal: SIGTERM)
    #expect(try stopped.wait(milliseconds: Workshop.millisecondsMax) == .exited(3))
    #expect(try text("one/shard-0001-of-0001.jsonl", in: workshop).contains("{\"type\":\"end\",\"why\":\"stopped\"}"))
    let (child, worker) = try start(begunBefore: 1)
    kill(worker, SIGKILL)
    #expect(try child.wait(milliseconds: Workshop.millisecondsMax) == .exited(1))
    #expect(try text("one/merged/summary.txt", in: workshop).contains("The program itself ended: ended by signal 9"))
    #expect(try workshop.leftBehind() == [])
  }

  private static func children(of process: Int32) -> [Int32] {
    guard let tasks = try? HostVolume(root: BytePath("/proc/\(process)/task")).entries(of: .root, countMax: 1000) else {
      return []
    }
    return tasks.flatMap { task -> [Int32] in
      let path = BytePath("/proc/\(process)/task").appending(task.name)
      let text = (try? HostVolume(root: path).readWhole("children", sizeMax: 1 << 16)) ?? []
      return String(decoding: text, as: UTF8.self).split(separator: " ").compactMap { Int32($0) }
    }
  }

  @Test func aCaseThatTakesTooLongIsAFailure() throws {
    let long = "scenario v1 \"long\"\ndocument \"Notes\" { page p1 }\nrepeat 20000 { stroke p1 points 200 }\n"
    let workshop = try workshop([("a.scn", long), ("b.scn", Self.passes)])
    let words = ["run", "--cases", "0", "--jobs", "1", "--case-limit", "1", "--out", "one", "set"]
    let result = try workshop.run("lnote-nightly", words)
    #expect(result.ending == .exited(1))
    #expect(result.outputText.contains("said nothing in time"), "\(result.outputText)")
    #expect(result.outputText.contains("2 of 2 cases"))
    // By count it is left open instead, on every machine.
    let counted = ["run", "--cases", "0", "--jobs", "1", "--case-steps", "1000", "--out", "two", "set"]
    let open = try workshop.run("lnote-nightly", counted)
    #expect(open.ending == .exited(3))
    #expect(try text("two/shard-0001-of-0001.jsonl", in: workshop).contains("it takes more than 1,000 steps"))
  }

  @Test(arguments: [
    (["run"], 2, "say where the run shall be: --out DIR"),
    (["run", "--out", "x", "--budget", "5"], 2, "'5' is no time like 30s, 10min or 1h"),
    (["run", "--out", "x", "--budget", "5s", "--cases", "3"], 2, "give one of them"),
    (["run", "--out", "x", "--model", "ext5"], 2, "there is no model 'ext5'"),
    (["run", "--out", "x", "--cases", "1", "wrong"], 2, "wrong.scn:2:1: error"),
    (["run", "--out", "x", "--cases", "1", "nothing"], 2, "nothing: No such file or directory"),
    (["run", "--out", "set/a.scn", "--cases", "1"], 4, "set/a.scn: Not a directory"),
    (["run", "--out", "foreign"], 2, "foreign/shard-0001-of-0001.jsonl: belongs to another plan"),
    (["run", "--out", "corrupt"], 2, "corrupt/plan.json: line 1, column 1"),
    (["run", "--out", "good", "--seed", "9"], 2, "good has a plan with another --seed"),
    (["run", "--out", "good", "--shard", "7"], 2, "--shard says shard 7; there are 0 to 0"),
    (["merge", "empty"], 2, "empty has no plan.json"), (["merge", "foreign"], 2, "belongs to another plan"),
    (["merge", "torn"], 2, "torn/shard-0001-of-0001.jsonl: line 2"), (["report", "good"], 2, "was not merged yet"),
    (["verify"], 2, "say which"), (["worker"], 2, "a worker is started by 'lnote-nightly run'"),
  ]) func badInputIsRefused(words: [String], status: Int, says: String) throws {
    let workshop = try workshop([("a.scn", Self.passes)])
    let volume = try workshop.volume()
    for folder in ["wrong", "foreign", "corrupt", "good", "empty", "torn"] as [BytePath] {
      try volume.makeDirectory(folder, permissions: 0o755)
    }
    try volume.make("wrong/wrong.scn", text: "scenario v1 \"x\"\nrenam\n")
    try volume.make("corrupt/plan.json", text: "no")
    #expect(try self.status(workshop, ["plan", "--cases", "1", "--out", "good", "set"]) == 0)
    let plan = try text("good/plan.json", in: workshop)
    for folder in ["foreign", "torn"] { try volume.make(BytePath("\(folder)/plan.json"), text: plan) }
    let start = "{\"build\":\"b\",\"plan\":\"0000000000000000\",\"shard\":0,\"shards\":1,\"type\":\"start\"}\n"
    try volume.make("foreign/shard-0001-of-0001.jsonl", text: start)
    #expect(try self.status(workshop, ["run", "--no-merge", "--jobs", "1", "--out", "good"]) == 0)
    let log = try text("good/shard-0001-of-0001.jsonl", in: workshop).split(separator: "\n")
    try volume.make("torn/shard-0001-of-0001.jsonl", text: "\(log[0])\n{\"type\n\(log[1])\n")
    let result = try workshop.run("lnote-nightly", words)
    #expect(result.ending == .exited(status), "\(result.errorText)")
    #expect(result.errorText.contains(says), "\(result.errorText)")
  }
}
