extension Parser {
  /// One step with its end.
  mutating func step() throws(Failure) -> Step {
    let start = current.place
    guard let word = current.word else {
      throw fail("a step begins with a word, not with \(current.spelling)")
    }
    if let compound = try compound(word, start) { return compound }
    let action = try simple(word)
    let whole = place(from: start)
    try endOfStatement(after: word)
    return Step(place: whole, action: action)
  }

  private mutating func simple(_ word: String) throws(Failure) -> Step.Action {
    if let life = LifeWord(rawValue: word) {
      advance()
      return .life(life)
    }
    switch word {
    case "stroke", "erase", "move", "insert-image", "delete", "add", "undo", "redo", "title":
      advance()
      return try edit(word)
    case "wait": return try wait()
    case "power-cut":
      advance()
      return .powerCut(try loss())
    case "remember":
      advance()
      return .remember(try name("the name to remember it by"))
    case "note":
      advance()
      return .note(try string("the note").value)
    case "sometimes":
      advance()
      return .sometimes(try string("what happens sometimes").value)
    case "maybe", "fault": return .fault(try faultStep())
    case "free-space":
      advance()
      if accept("unlimited") { return .freeSpace(nil) }
      return .freeSpace(try size("the free space"))
    case "clear":
      advance()
      if accept("faults") { return .clear(nil) }
      return .clear(try name("the fault's name"))
    case "expect": return .expect(try expectation())
    case "do": return try call()
    case "exec":
      advance()
      return .exec(try string("the command").value)
    default: throw unknownStep(word)
    }
  }

  private mutating func unknownStep(_ word: String) -> Failure {
    if word == "document" || word == "define" || Synonyms.items.contains(word) {
      return fail("'\(word)' stands outside of blocks, at the top of the file")
    }
    if let advice = Synonyms.firstWords[word.lowercased()] {
      return fail("'\(word)' is not a step - \(advice)")
    }
    if WordShape.isErrno(word) || EffectSyntax.words.contains(word) {
      return fail("'\(word)' is an effect - write 'fault \(word) on …', or 'with \(word) on … { … }'")
    }
    if word == "check" || word == "and" || word == "in" {
      return fail("'\(word)' has nothing to belong to here")
    }
    return fail("unknown step '\(word)'\(Spelling.suggestion(for: word, among: Synonyms.steps + Synonyms.items))")
  }

  // MARK: Editing

  private mutating func edit(_ word: String) throws(Failure) -> Step.Action {
    switch word {
    case "stroke": return .stroke(try stroke())
    case "insert-image": return .insertImage(try image())
    case "erase":
      let target = try reference("what to erase")
      return .erase(target, last: accept("last") ? try number("how many strokes") : nil)
    case "move": return try move()
    case "delete":
      if accept("page") { return .deletePage(try reference("the page")) }
      return .delete(try reference("what to delete"))
    case "add":
      try require("page", "write 'add page p3' - pictures come with 'insert-image p1 size 2MiB'")
      let name = try reference("the page's name")
      let canvas = try canvas()
      return .addPage(name, canvas: canvas, at: accept("at") ? try number("the page's place") : nil)
    case "undo": return .undo(try changes(), in: try documentMeant())
    case "redo": return .redo(try changes(), in: try documentMeant())
    default: return .title(try string("the title").value, in: try documentMeant())
    }
  }

  /// How many changes are taken back, or made again; nil where nothing is said.
  private mutating func changes() throws(Failure) -> NumberSyntax? {
    isAtEndOfStatement || at("in") ? nil : try number("how many")
  }

  /// `in diary`; nil where nothing is said.
  private mutating func documentMeant() throws(Failure) -> Reference? {
    accept("in") ? try reference("the document") : nil
  }

  private mutating func stroke() throws(Failure) -> StrokeSyntax {
    if case .number(let digits, _) = current.kind {
      let page = next.word == "on" ? tokens[min(position + 2, tokens.count - 1)].word ?? "p1" : "p1"
      throw fail("the page comes first - did you mean 'stroke \(page) points \(digits)'?")
    }
    if accept("on") { throw fail("leave 'on' out: stroke \(current.word ?? "p1")", at: tokens[position - 1].place) }
    var stroke = StrokeSyntax(page: try reference("the page"))
    while let word = current.word, word != "as" {
      let place = current.place
      switch word {
      case "points":
        advance()
        if stroke.points != nil { throw fail("'points' is given twice", at: place) }
        stroke.points = try number("the number of points")
      case "pen":
        advance()
        if stroke.pen != nil { throw fail("'pen' is given twice", at: place) }
        stroke.pen = try name("the pen")
      case "width":
        advance()
        if stroke.width != nil { throw fail("'width' is given twice", at: place) }
        stroke.width = try number("the width")
      case "at":
        advance()
        if stroke.origin != nil { throw fail("'at' is given twice", at: place) }
        stroke.origin = try pair("the place")
      default:
        let known = ["points", "pen", "width", "at", "as"]
        throw fail("unknown word '\(word)' for a stroke\(Spelling.suggestion(for: word, among: known))")
      }
    }
    if accept("as") { stroke.name = try name("the stroke's name") }
    return stroke
  }

  private mutating func pair(_ what: String) throws(Failure) -> (x: NumberSyntax, y: NumberSyntax) {
    let x = try number("\(what)'s first number")
    try require(.comma, "\(what) has two numbers with ',' between them: 10, 20")
    return (x, try number("\(what)'s second number"))
  }

  private mutating func image() throws(Failure) -> ImageSyntax {
    var image = ImageSyntax(page: try reference("the page"))
    if accept("size") { image.size = try size("the picture's size") }
    if accept("file") { image.file = try string("the picture's file") }
    if accept("as") { image.name = try name("the picture's name") }
    return image
  }

  private mutating func move() throws(Failure) -> Step.Action {
    if accept("page") {
      let page = try reference("the page")
      try require("to", "'to' is missing here: move page p2 to 0")
      return .movePage(page, to: try number("the page's new place"))
    }
    let target = try reference("what to move")
    if at("to") { throw fail("elements move by a distance: move NAME by 10, 20 - pages move with 'move page'") }
    try require("by", "'by' is missing here: move NAME by 10, 20")
    let distance = try pair("the distance")
    return .move(target, dx: distance.x, dy: distance.y)
  }

  // MARK: Time, calls

  private mutating func wait() throws(Failure) -> Step.Action {
    advance()
    if accept("until") {
      try require("saved", "write 'wait until saved'")
      return .waitUntilSaved
    }
    if at("for") || at("autosave") || at("saved") || at("save") {
      throw fail("did you mean 'wait until saved'? - a time is written 'wait 600ms'")
    }
    return .wait(try duration("the time to wait"))
  }

  private mutating func call() throws(Failure) -> Step.Action {
    advance()
    let name = try name("the definition's name")
    try require(.openParenthesis, "'(' is missing here: do \(name.value)(…)")
    var arguments: [ScalarSyntax] = []
    if !at(.closeParenthesis) {
      arguments.append(try scalar())
      while accept(.comma) { arguments.append(try scalar()) }
    }
    try require(.closeParenthesis, "')' is missing here, before \(current.spelling)")
    return .call(name, arguments)
  }
}
