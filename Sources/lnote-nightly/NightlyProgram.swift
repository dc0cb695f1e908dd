import Campaigns
import Glibc
import Options
import Terminal

/// The program: from words to an exit status.
enum NightlyProgram {
  private static let folder = Option(
    "out", value: .directory("DIR"), "the folder of the run; what is there is gone on with")
  private static let corpus = Option(
    "corpus", value: .directory("DIR"), "what earlier runs know: failures and their files; written behind the run")
  private static let triage = Option("triage", value: .file("FILE"), "failures that people have parked")
  private static let findingsExit = Option(
    "findings-exit", value: .number("N", 0...255), "the exit status where something fails, for engines that run again")

  /// What a plan is made of.
  private static let planOptions = [
    folder, corpus,
    Option("budget", value: .text("TIME"), "make up scenarios for so long, 10min if nothing is said; 30s, 1h"),
    Option("cases", value: .number("N", 0...9_000_000), "make up so many, however long it takes"),
    Option("seed", value: .number("N", 0...Int.max), "the seed of everything that is made up"),
    Option("model", value: .text("M,..."), "crashes on these disks only; else on every one that was measured"),
    Option("mutant", value: .text("NAME"), "put a seeded bug into the store, to see that it is found"),
    Option("durability", value: .choice("HOW", ["none", "file", "full"]), "how hard the store syncs"),
    Option("build", value: .text("TEXT"), "what was built; else what git says"),
    Option(
      "case-steps", value: .number("N", 1...CampaignPlan.stepsMaxMost), group: .rest,
      "a case of more steps, those of all crash states, is left open (\(CampaignPlan.stepsMaxUsual))"),
    Option("shards", value: .number("N", 1...10_000), group: .rest, "into how many shards the plan is split"),
  ]

  /// Everything it takes.
  static let table = OptionTable(
    program: "lnote-nightly",
    sentence: "make up scenarios against the store, for a time or a number, and report what is worse than before",
    version: "0.1",
    options: [],
    verbs: [
      Verb(
        "run", "make a plan where there is none, run it, merge what came of it, and report",
        options: [
          triage, Option("jobs", short: "j", value: .number("N", 1...256), "so many workers; else one a processor"),
          Option("shard", value: .number("I", 0...9_999), group: .rest, "which of them to run, from 0; merges nothing"),
          Option(
            "case-limit", value: .number("SECONDS", 1...86_400), group: .rest,
            "a case that takes longer hangs, and is a failure (\(NightlySettings.caseSecondsUsual))"),
          Option("no-merge", group: .rest, "run only"),
          findingsExit,
        ] + planOptions,
        operands: Operands(
          "SCENARIO...", count: 0...Operands.countMax, "files and folders to run besides (Scenarios/)"),
        examples: [
          Example("lnote-nightly run --budget 30s --jobs 2 --out run-1", "half a minute, and a report"),
          Example("lnote-nightly run --cases 4000 --shards 4 --shard 2 --out run-1", "the third of four shards"),
        ]),
      Verb(
        "plan", "make the plan of a run, and run nothing", options: planOptions,
        operands: Operands("SCENARIO...", count: 0...Operands.countMax, "files and folders to run besides (Scenarios/)")
      ),
      Verb(
        "merge", "put the files of shards together and report",
        options: [folder, corpus, triage, findingsExit],
        operands: Operands("DIR", count: 0...1, "the folder of the run")),
      Verb(
        "report", "show what came of a run again", options: [],
        operands: Operands("DIR", count: 1...1, "the folder of the run")),
      Verb(
        "verify", "run the files of failures again, ten times each, and say which are fixed",
        options: [corpus],
        operands: Operands("FILE...", count: 0...Operands.countMax, "files to run; else the corpus's")),
      Verb(
        "bisect", "find the change behind which a file fails, with git",
        options: [
          Option(
            "build-command", value: .text("COMMAND"), "builds lnote-driver in a checkout (\(BisectCommand.usualBuild))")
        ],
        operands: Operands("FILE GOOD[..BAD]", count: 2...2, "a scenario, and commits that pass and fail"),
        examples: [Example("lnote-nightly bisect run-1/repro/photo.scn 9d02e77", "between this commit and HEAD")]),
      Verb(
        "worker", "run cases that come as lines; for the program's own use",
        options: [folder], operands: Operands("DIR", count: 0...0)),
    ],
    examples: [
      Example("lnote-nightly run --budget 10min --out run-1 --corpus corpus", "a night's run, against the one before"),
      Example("lnote-nightly report run-1", "the summary again"),
    ],
    exitStatuses: [
      ExitStatus(0, "nothing fails"), ExitStatus(1, "something fails, or what should happen sometimes never did"),
      ExitStatus(2, "usage, a plan or shard that cannot be used, or cases that were not run"),
      ExitStatus(3, "ended early by a signal, or something is unknown; run it again to go on"),
      ExitStatus(4, "the environment: no room, a missing program, or a store that must be convicted and was not"),
    ])

  /// Does what the words ask for; the result is the exit status.
  static func run(_ words: [Word]) -> Int32 {
    do throws(OptionError) {
      switch try table.read(words) {
      case .show(let text):
        say(text)
        return 0
      case .run(let reading): return run(reading)
      }
    } catch {
      complain(printable(error.description))
      complain("Try 'lnote-nightly --help'.")
      return 2
    }
  }

  private static func run(_ reading: OptionReading) -> Int32 {
    do throws(Refusal) {
      switch reading.verb {
      case "run", "plan": return try RunCommand(reading).run()
      case "merge": return try MergeCommand(reading).run()
      case "report": return try ReportCommand(reading).run()
      case "verify": return try VerifyCommand(reading).run()
      case "bisect": return try BisectCommand(reading).run()
      default: return try WorkerCommand(reading).run()
      }
    } catch {
      complain(error.sentence)
      return error.status
    }
  }

  /// Ends the program.
  static func end(with status: Int32) -> Never { exit(status) }

  /// Writes to standard output; where nobody reads any more, the program has nothing left to do.
  static func say(_ text: String) {
    do throws(OutputError) { try OutputStream.output.write(text) } catch { end(with: error.isBrokenPipe ? 0 : 4) }
  }

  /// Writes a line to standard error.
  static func complain(_ text: String) {
    do throws(OutputError) { try OutputStream.error.write("lnote-nightly: \(text)\n") } catch {}
  }
}

/// Why a command cannot be done, and the exit status that says so.
struct Refusal: Error {
  let status: Int32
  let sentence: String

  init(_ status: Int32, _ sentence: String) {
    self.status = status
    self.sentence = sentence
  }
}
