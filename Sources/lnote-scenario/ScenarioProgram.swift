import Files
import Glibc
import Harness
import Inventing
import Options
import Scenarios
import Terminal

/// The program: from words to an exit status.
enum ScenarioProgram {
  /// Everything it takes.
  static let table = OptionTable(
    program: "lnote-scenario",
    sentence: "run scripts of strokes, images, saves and faults against the store, and say what came of it",
    version: "0.1",
    options: [],
    verbs: [
      Verb(
        "run", "run scenarios, each on a fresh disk, and judge what the store kept",
        options: [
          Option("fast", "in process: no mount, the same in every run"),
          Option("live", "on a real mount, or not at all (else: a mount where one can be had)"),
          Option("times", value: .number("N", 1...1_000_000), "run each N times"),
          Option("keep", value: .directory("DIR"), "leave the packages in DIR, crashed and repaired"),
          Option("define", short: "D", value: .text("NAME=VALUE"), "set a parameter of the scenario"),
          Option("seed", value: .number("N", 0...Int.max), "the seed of everything that is made up"),
          Option(
            "cases", value: .number("N", 1...1_000_000),
            "draw N cases of a scenario that leaves something to chance (else: its 'budget', or one)"),
          Option("driver", value: .text("COMMAND"), "test another store, by its driver (words split at blanks)"),
          Option(
            "step-limit", value: .number("SECONDS", 1...3600), group: .rest,
            "how long a driver may take for one step (\(Programs.stepSecondsMaxUsual))"),
          Option(
            "state", value: .text("NAME"), "of 'for each crash' only the state of this name, as a report calls it"),
          Option("json", value: .file("FILE"), "write the report as JSON to FILE; - is standard output"),
          Option("html", value: .file("FILE"), "write the report as a page for a browser to FILE"),
        ],
        operands: Operands("FILE...", count: 1...Operands.countMax),
        examples: [
          Example("lnote-scenario run Scenarios/photo-power-cut.scn", "on a live mount where one can be had"),
          Example("lnote-scenario run --fast --keep kept Scenarios/*.scn", "in process, packages kept to look at"),
        ]),
      Verb(
        "explore", "go through every crash in the course of a scenario's steps, in process",
        options: [
          Option("model", value: .text("M,..."), "only these disks; else every model that was measured"),
          Option("store", value: .choice("STORE", ["snapshot"]), "the store's engine"),
          Option(
            "budget", value: .number("N", 1...10_000_000), "judge N states of a depth at the most, spread over all"),
          Option(
            "depth", value: .number("N", 1...CrashSweep.depthMax),
            "2: crash each recovery from a crash, too, and judge what that leaves"),
          Option("sectors", "tear blocks that are written in their place at 512 bytes, too"),
          Option("go-on", "draw and save again behind each recovery, and crash that as well (--depth 2)"),
          Option("keep", value: .directory("DIR"), "leave the first of each kind that fails in DIR"),
          Option("define", short: "D", value: .text("NAME=VALUE"), "set a parameter of the scenario"),
          Option("seed", value: .number("N", 0...Int.max), "the seed of everything that is made up"),
          Option(
            "state", value: .text("NAME"), "of 'for each crash' only the state of this name, as a report calls it"),
          Option("json", value: .file("FILE"), "write the report as JSON to FILE; - is standard output"),
          Option("html", value: .file("FILE"), "write the report as a page for a browser to FILE"),
        ],
        operands: Operands("FILE...", count: 1...Operands.countMax),
        examples: [
          Example("lnote-scenario explore --model ext4-ordered,btrfs day.scn", "what may two file systems leave?")
        ]),
      Verb(
        "check", "read scenarios and say what is wrong with them; runs nothing",
        options: [Option("define", short: "D", value: .text("NAME=VALUE"), "set a parameter of the scenario")],
        operands: Operands("FILE...", count: 1...Operands.countMax)),
      Verb(
        "format", "bring scenarios into their usual shape, and name those that were not in it",
        options: [Option("check", "change nothing; exit status 1 where a file is not in its usual shape")],
        operands: Operands("FILE...", count: 1...Operands.countMax)),
      Verb(
        "new", "write a scenario to begin with to a new file",
        options: [Option("title", value: .text("TITLE"), "its title; else the file's name")],
        operands: Operands("FILE", count: 1...1, "never one that is there"),
        examples: [Example("lnote-scenario new my.scn", "a photo and a power cut, to change")]),
      Verb(
        "help", "say what a word of the language means",
        operands: Operands("WORD", count: 1...1, "reopen, say"),
        examples: [Example("lnote-scenario help torn-rename", "forms and meaning")]),
      Verb(
        "explain", "show scenarios step by step, in plain words; runs nothing",
        operands: Operands("FILE...", count: 1...Operands.countMax)),
      Verb(
        "shrink", "make a failing scenario small: few steps that fail in the same way, in a file of their own",
        options: [
          Option("to", value: .file("FILE"), "the new file (NAME.small.scn beside it); never one that is there"),
          Option(
            "runs", value: .number("N", 1...1_000_000),
            "how many runs it may take (\(ScenarioShrinker.runsMaxUsual)); all are in process"),
          Option("define", short: "D", value: .text("NAME=VALUE"), "set a parameter of the scenario"),
          Option("seed", value: .number("N", 0...Int.max), "the first seed, where it leaves something to chance"),
          Option(
            "cases", value: .number("N", 1...1_000_000),
            "how many seeds, until one fails (else: its 'budget', or \(ShrinkCommand.casesUsual))"),
        ],
        operands: Operands("FILE", count: 1...1, "a scenario that fails"),
        examples: [Example("lnote-scenario shrink day.scn", "what of this long day loses a page? day.small.scn")]),
      Verb(
        "adopt", "make a regression of a counterexample",
        options: [Option("into", value: .directory("DIR"), "the folder (Scenarios/regressions)")],
        operands: Operands("FILE", count: 1...1, "a concrete scenario; its title becomes the file's name")),
      Verb(
        "conform", "check another store's driver against the protocol page, check by check",
        options: [
          Option("driver", value: .text("COMMAND"), "the driver (words split at blanks); else our own"),
          Option(
            "step-limit", value: .number("SECONDS", 1...3600), group: .rest,
            "how long it may take for one answer (\(Programs.stepSecondsMaxUsual))"),
          Option("json", value: .file("FILE"), "write the report as JSON to FILE; - is standard output"),
        ],
        operands: .none,
        examples: [Example("lnote-scenario conform --driver \"python3 my_store.py\"", "does it keep to the page?")]),
      Verb(
        "list", "list what scenarios can name: \(ListCommand.names.joined(separator: ", "))",
        operands: Operands("WHAT", count: 1...1, "one of these")),
    ],
    examples: [
      Example("lnote-scenario check my.scn", "is it right? nothing is run"),
      Example("lnote-scenario run my.scn", "run it"),
    ],
    exitStatuses: [
      ExitStatus(0, "passed"), ExitStatus(1, "the store was convicted"),
      ExitStatus(2, "usage, or a file that is no right scenario"),
      ExitStatus(3, "inconclusive: a fault never fired, or a step took too long"),
      ExitStatus(4, "the environment lacks something: a program, /dev/fuse"),
      ExitStatus(130, "SIGINT ended an exploration (143 for SIGTERM); what was found until then is told"),
    ])

  /// Does what the words ask for; the result is the exit status.
  static func run(_ words: [Word]) -> Int32 {
    do throws(OptionError) {
      switch try table.read(words) {
      case .show(let text):
        say(text)
        return 0
      case .run(let reading):
        switch reading.verb {
        case "check": return CheckCommand(reading).run()
        case "list": return ListCommand(reading).run()
        case "format": return FormatCommand(reading).run()
        case "new": return WordCommands(reading).new()
        case "help": return WordCommands(reading).help()
        case "explain": return WordCommands(reading).explain()
        case "conform": return ConformCommand(reading).run()
        case "shrink": return ShrinkCommand(reading).run()
        case "adopt": return WordCommands(reading).adopt()
        default: return RunCommand(reading).run()
        }
      }
    } catch {
      complain(printable(error.description))
      complain("Try 'lnote-scenario --help'.")
      return 2
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
    do throws(OutputError) { try OutputStream.error.write("lnote-scenario: \(text)\n") } catch {}
  }

  /// The content of a file; nil, with a word of complaint, where it cannot be read.
  static func bytes(of path: Word) -> [UInt8]? {
    do throws(FileCallError) {
      let absolute = try Host.absolutePath(of: BytePath(bytes: path.bytes))
      return try HostVolume(root: absolute.folderOnHost).readWhole(absolute.name, sizeMax: scenarioBytesMax)
    } catch {
      complain("\(printable(path.bytes)): \(error.errno)")
      return nil
    }
  }

  /// Reads and checks a scenario; its diagnostics go to standard error. Nil where it cannot run.
  static func read(_ path: Word, overrides: [Word]) -> ScenarioReading? {
    guard let bytes = bytes(of: path), let pairs = pairs(of: overrides) else { return nil }
    let reading = ScenarioReading.read(
      bytes, file: path.text, vocabulary: .own, overrides: pairs,
      files: .beside(BytePath(bytes: path.bytes)))
    do throws(OutputError) { try OutputStream.error.write(reading.text) } catch {}
    return reading.scenario == nil && reading.external == nil ? nil : reading
  }

  /// What `-D NAME=VALUE` says; nil, with a word of complaint, where it says nothing.
  static func pairs(of overrides: [Word]) -> [(name: String, value: String)]? {
    var pairs: [(name: String, value: String)] = []
    for override in overrides {
      guard let equals = override.bytes.firstIndex(of: UInt8(ascii: "=")) else {
        complain("-D \(printable(override.bytes)): write NAME=VALUE")
        return nil
      }
      pairs.append(
        (
          String(decoding: override.bytes[..<equals], as: UTF8.self),
          String(decoding: override.bytes[(equals + 1)...], as: UTF8.self)
        ))
    }
    return pairs
  }

  /// The largest scenario that is read: 1 MiB.
  private static let scenarioBytesMax = 1 << 20
}
