import LNoteFsck
import Options

extension FsckProgram {
  /// What the program takes: reader, help and the options page come from it.
  static let table = OptionTable(
    program: "lnote-fsck", sentence: "check and repair documents of Lulucat Notes", version: "1.0",
    options: [
      Option("yes", short: "y", "repair; nothing is deleted, what is replaced is set aside"),
      Option(
        "to", value: .directory("DIR"), "with -y, -i or --carve: write a repaired copy there, leave the folder as it is"
      ),
      Option("plan", "say what -y (or -p) would do, step by step, and what it costs; changes nothing"),
      Option("save-plan", value: .file("FILE"), "the same, and write the plan to a file"),
      Option("apply-plan", value: .file("FILE"), "do what the plan says, and nothing where something has changed"),
      Option("as-is", "with --to: take what is here; absent pages keep their place and are named"),
      Option("safe", short: "p", "do only the safe fixes: nothing that needs a decision"),
      Option("ask", short: "i", "ask before each repair, with what it does and costs; needs a terminal"),
      Option("check", short: "n", "look only; this is what happens without any of these"),
      Option("quick", "look at names, headers and sizes only: no page and no image is read"),
      Option("deep", "read everything, and decode every image too"),
      Option("undo", "take the last repair of a document back; what it had made is set aside"),
      Option(
        "look-in", value: .directory("DIR"),
        "look there (a backup, another device's copy) for what is damaged or missing; may be said again"),
      Option(
        "quarantine", value: .directory("DIR"),
        "set aside there and not beside the document; with --undo: take it from there"),
      Option("render", value: .directory("DIR"), "also draw every page: one PDF a document, as it is at the end"),
      Option("report", value: .file("FILE"), "also write a page for a browser, with pictures, to keep or send"),
      Option("private", "with --report: leave out titles, pictures and the names of your folders"),
      Option(
        "accept-loss", value: .text("PLACE"), "accept a document's known loss: page-12, or all; it becomes a note"),
      Option("carve", "search a disk, its image or nameless files for lost pages, and write what is found"),
      Option("explain", value: .text("CODE"), "say what a code means, as LN3002"),
      Option("quiet", short: "q", group: .rest, "show problems only"),
      Option("json", group: .rest, "write JSON lines for programs"),
      Option("strict", group: .rest, "count what is to be looked at (warnings) in the exit status too"),
      Option(
        "lock-wait", value: .number("SEC", 0...86_400), group: .rest,
        "wait so long for each document that is open in another program (0)"),
      Option("jobs", short: "j", value: .number("N", 1...16), group: .rest, "check so many documents at a time (2)"),
      Option("color", value: .choice("WHEN", ["auto", "always", "never"]), group: .rest, "colour the output"),
      Option("only", value: .text("CODE"), group: .rest, "look for this and repair this alone; may be said again"),
      Option(
        "severity", value: .text("CODE=error|warn|ignore"), group: .rest,
        "what a code counts as; may be said again; what is ignored is counted"),
      Option("subset", value: .text("n/t|x%"), group: .rest, "a part of the documents: 1/3, 2/3 and 3/3 are all"),
      Option(
        "progress-fd", short: "C", value: .number("FD", 1...1023), group: .rest,
        "write e2fsck's lines of progress there: pass, cur, max, label"),
    ],
    operands: Operands(
      "FOLDER...", count: 0...Operands.countMax,
      "Documents (*.lnote), folders or archives (ZIP, tar, tar.gz) in which they are looked for"),
    examples: [
      Example("lnote-fsck ~/Notes", "look only; changes nothing"),
      Example("lnote-fsck Notes.zip", "the same in an archive"),
      Example("lnote-fsck --plan ~/Notes", "what would a repair do, and cost?"),
      Example("lnote-fsck -y --to COPY ~/Notes", "write a repaired copy"),
      Example("lnote-fsck -y ~/Notes", "repair here"),
      Example("lnote-fsck -i ~/Notes", "the same, and ask before each repair"),
      Example("lnote-fsck --undo ~/Notes/ID.lnote", "take that back"),
      Example("lnote-fsck --render PDF ~/Notes", "look, and draw what can be read"),
      Example("lnote-fsck --carve --to FOUND disk.img", "find what was deleted"),
    ],
    exitStatuses: [
      Options.ExitStatus(0, "no damage"), Options.ExitStatus(1, "repaired, or a repair was taken back"),
      Options.ExitStatus(4, "damage is left, or content is known to be lost"),
      Options.ExitStatus(8, "something could not be checked, repaired or taken back"),
      Options.ExitStatus(16, "the command line makes no sense"),
      Options.ExitStatus(32, "ended before all was done, by Control-C or a signal"),
      Options.ExitStatus(128, "the program itself failed; sums tell of several"),
    ])

  /// What is shown without any argument.
  static let firstScreen = """
    lnote-fsck: say which folder, document or ZIP to check.

      lnote-fsck ~/Notes                      look only; changes nothing
      lnote-fsck --plan ~/Notes               what would a repair do, and cost?
      lnote-fsck -y --to COPY ~/Notes         write a repaired copy
      lnote-fsck -y ~/Notes                   repair here; nothing is deleted
      lnote-fsck -p ~/Notes                   repair here, safe fixes only
      lnote-fsck --report notes.html ~/Notes  a page with pictures, to send or keep
      lnote-fsck --explain LN3002             what does this code mean?
    All options: lnote-fsck --help

    """
}

/// What a run was asked to do.
struct RunRequest {
  var mode: RunReport.Mode
  var target: Word?
  /// Where documents are drawn to.
  var drawings: Word?
  /// Where the page for a browser goes.
  var report: Word?
  /// True where that page must not tell titles.
  var isPrivate: Bool
  var arguments: [Word]
  var jobs: Int
  /// Where the plan goes, or comes from.
  var planFile: Word?
  /// True where what is absent keeps its place in the copy.
  var isAsIs = false
  /// True where the user is asked before each repair.
  var asks = false
  /// How closely, and at what, is looked.
  var options = CheckOptions()
  /// Where what is replaced is set aside.
  var quarantine: Word?
  /// Folders in which what is lacking is looked for.
  var lookIn: [Word] = []

  /// The request, or why the command line makes no sense.
  static func read(_ reading: OptionReading) -> Result<RunRequest, UsageError> {
    let modes = ["yes", "ask", "safe", "check", "undo", "accept-loss", "apply-plan"].filter { reading.has($0) }
    if modes.count > 1 {
      return .failure(UsageError("--\(modes[0]) and --\(modes[1]) do not go together: say one of them."))
    }
    let target = reading.value("to")
    if target != nil && modes != ["yes"] && modes != ["ask"] {
      return .failure(UsageError("--to DIR writes a repaired copy and needs -y, or -i to be asked."))
    }
    if reading.has("private") && !reading.has("report") {
      return .failure(UsageError("--private says what --report FILE leaves out, and needs it."))
    }
    if reading.has("as-is") && target == nil {
      return .failure(UsageError("--as-is repairs a copy of what is not all here, and needs -y --to DIR."))
    }
    if let mode = ["undo", "accept-loss", "quick"].first(where: { reading.has($0) }), reading.has("look-in") {
      return .failure(UsageError("--look-in is for a check or a repair that reads everything, and not for --\(mode)."))
    }
    if reading.has("quarantine") {
      if target != nil {
        return .failure(UsageError("--quarantine is for a repair here; beside a copy there is room: leave it out."))
      }
      if modes == ["check"] || modes.isEmpty && !reading.has("plan") && !reading.has("save-plan") {
        return .failure(
          UsageError("--quarantine says where a repair sets things aside, and goes with -y, -i, -p or --undo."))
      }
    }
    let isPlan = reading.has("plan") || reading.has("save-plan")
    if isPlan && (target != nil || !["yes", "safe", nil].contains(modes.first)) {
      return .failure(UsageError("--plan says what a repair here would do, and goes with -y or -p or alone."))
    }
    let mode: RunReport.Mode
    switch modes.first {
    case _ where isPlan: mode = .plan(modes.first == "safe" ? .automatic : .all)
    case "apply-plan": mode = .applyPlan
    case "yes": mode = target.map { .copy(to: $0.text) } ?? .repair(.all)
    case "undo": mode = .undo
    case "accept-loss":
      guard let place = reading.text("accept-loss").flatMap({ LossPlace($0) }) else {
        return .failure(UsageError("--accept-loss takes a page, as page-12, or all."))
      }
      mode = .acceptLoss(place)
    case "safe": mode = .repair(.automatic)
    case "ask": mode = target.map { .copy(to: $0.text) } ?? .ask
    default: mode = .check
    }
    let options: CheckOptions
    do throws(UsageError) { options = try CheckOptions.read(reading, mode) } catch { return .failure(error) }
    return .success(
      RunRequest(
        mode: mode, target: target, drawings: reading.value("render"), report: reading.value("report"),
        isPrivate: reading.has("private"), arguments: reading.operands,
        // Questions come one after the other, and so do the documents.
        jobs: reading.has("ask") ? 1 : reading.number("jobs") ?? 2,
        planFile: reading.value("save-plan") ?? reading.value("apply-plan"),
        isAsIs: reading.has("as-is"), asks: reading.has("ask"), options: options,
        quarantine: reading.value("quarantine"),
        lookIn: reading.values("look-in")))
  }
}

extension RunRequest {
  /// Nothing can be repaired in an archive that the user named; one that was found in a folder is only checked.
  func refuseInPlace(_ found: [Argument], _ word: Word) throws(UsageError) {
    if needsDocuments, found.contains(where: { $0.isArchive || $0.searchedFolder != nil }) {
      throw UsageError("--undo and --accept-loss take documents (*.lnote): name those that are meant.")
    }
    guard changesInPlace, let only = found.first, found.count == 1, only.isArchive else { return }
    throw UsageError(
      "\"\(word)\" is an archive, and nothing in it can be changed. Write a repaired copy of it as folders: "
        + "lnote-fsck -y --to REPAIRED \(Advice.quoted(word.text))")
  }
}

extension RunRequest {
  /// True where something of a document is changed where it lies, or is to be.
  var isAboutThisPlace: Bool {
    switch mode {
    case .check, .copy: false
    default: true
    }
  }

  /// True where pages are drawn, or thumbnails may be.
  var mayDraw: Bool {
    switch mode {
    case .check, .plan, .undo, .acceptLoss: drawings != nil || report != nil
    case .repair, .ask, .copy, .applyPlan: true
    }
  }

  private var changesInPlace: Bool {
    switch mode {
    case .repair, .ask, .applyPlan: true
    default: false
    }
  }

  /// True for what is asked of one document, and never of everything in a folder.
  private var needsDocuments: Bool {
    switch mode {
    case .undo, .acceptLoss: true
    default: false
    }
  }
}

/// A command line that cannot be followed, in words.
struct UsageError: Error {
  let message: String
  /// How the run ends: it makes no sense, or the disk does not let it be followed.
  let exit: FsckExit

  init(_ message: String, exit: FsckExit = .usage) {
    self.message = message
    self.exit = exit
  }
}
