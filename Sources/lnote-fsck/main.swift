import Glibc
import Options

run(Word.commandLine())

/// The run has threads of its own; this one, which was there first, takes the signals.
///
/// An `await` here would not do: the thread would then wait with every signal let in, and be ended by them.
private func run(_ words: [Word]) -> Never {
  let interruption = Interruption(isJSON: FsckProgram.asksForJSON(words))
  Task.detached { exit(await FsckProgram.run(words, interruption)) }
  interruption.watch()
}
