/// What an exploration of crash states has found, as a page for people.
///
/// It has sentences and marks, and no types of the explorer.
/// Each part can stand in a larger page: `CrashPage.Finding` has a section of its own.
package struct CrashPage: Sendable {
  /// How it came out.
  package enum Verdict: String, Sendable {
    case good, failing, unknown
  }

  /// A model, and how its states did.
  package struct Model: Sendable {
    /// The name.
    package var name: String
    /// How many states it allows.
    package var states: Int
    /// How many of them fail; nil where nobody counted.
    package var failing: Int?
    /// "complete".
    package var completeness: String
    /// False for one that was written from documents.
    package var isMeasured: Bool

    /// A model of these values.
    package init(name: String, states: Int, failing: Int?, completeness: String, isMeasured: Bool) {
      self.name = name
      self.states = states
      self.failing = failing
      self.completeness = completeness
      self.isMeasured = isMeasured
    }
  }

  /// "save.py", or the title of a scenario.
  package var title: String
  /// What it was about: "every crash of this program", with the setting.
  package var subtitle: String
  /// How it came out.
  package var verdict: Verdict
  /// The totals in a sentence.
  package var summary: String
  /// The models.
  package var models: [Model] = []
  /// One for each kind of failure, the most telling first.
  package var findings: [Finding] = []
  /// The fewest syncs behind which nothing fails, as a sentence; nil where there are none.
  package var fix: String?
  /// What else has to be known.
  package var notes: [String] = []
  /// The command that does it again.
  package var again: String?

  /// A page with nothing found yet.
  package init(title: String, subtitle: String, verdict: Verdict, summary: String) {
    self.title = title
    self.subtitle = subtitle
    self.verdict = verdict
    self.summary = summary
  }
}

extension CrashPage {
  /// One kind of failure, told by its smallest example.
  package struct Finding: Sendable {
    /// Whether a model allows the example.
    package struct Possibility: Sendable, Equatable {
      /// The model's name.
      package var model: String
      /// True where it does.
      package var isPossible: Bool
      /// False for a model that was written from documents.
      package var isMeasured: Bool

      /// A possibility of these values.
      package init(model: String, isPossible: Bool, isMeasured: Bool) {
        self.model = model
        self.isPossible = isPossible
        self.isMeasured = isMeasured
      }
    }

    /// What became of an operation.
    package enum Mark: String, Sendable {
      case kept, partly, lost
      /// The crash itself.
      case crash
    }

    /// An operation, or the crash, in the order of time.
    package struct Step: Sendable {
      /// Its number in the recording; nil for the crash.
      package var number: UInt64?
      /// What it was.
      package var text: String
      /// What became of it.
      package var mark: Mark

      /// A step of these values.
      package init(number: UInt64?, text: String, mark: Mark) {
        self.number = number
        self.text = text
        self.mark = mark
      }
    }

    /// A block of a file.
    package enum Block: String, Sendable, CaseIterable {
      /// As written last.
      case new
      /// As written before that.
      case earlier
      /// As it was.
      case old
      case zeros
      /// Sectors of two versions.
      case torn
      /// Behind the end of the file.
      case missing
    }

    /// A file of which not everything is there.
    package struct File: Sendable {
      /// Its path.
      package var path: String
      /// Its size in bytes.
      package var bytes: UInt64
      /// Its blocks of 4096 bytes, those that follow each other and are alike together.
      package var blocks: [(block: Block, count: Int)]

      /// A file of these values.
      package init(path: String, bytes: UInt64, blocks: [(block: Block, count: Int)]) {
        self.path = path
        self.bytes = bytes
        self.blocks = blocks
      }
    }

    /// What is wrong, in a sentence.
    package var sentence: String
    /// "12 states, on ext4-ordered".
    package var count: String
    /// The name of the example, by which it can be looked at again.
    package var name: String?
    /// When the crash came.
    package var crash: String = ""
    /// What was not durable when the crash came, and the crash.
    package var steps: [Step] = []
    /// Why a disk may do so.
    package var why: String?
    /// The files.
    package var files: [File] = []
    /// The models.
    package var possibilities: [Possibility] = []
    /// Further facts, each with its label.
    package var facts: [(label: String, value: String)] = []
    /// What the check said, line by line; whether the line is the one that convicts.
    package var said: [(text: String, isBad: Bool)] = []
    /// Lines to copy that look at it again.
    package var again: [String] = []

    /// A finding of these values.
    package init(sentence: String, count: String) {
      self.sentence = sentence
      self.count = count
    }
  }
}
