import Glibc
import Options
import Processes
import Terminal

// Code stands in functions: globals of this file would belong to the main actor.
exit(run(Word.commandLine()))

/// Reads the command line and does what it asks; returns the exit status.
private func run(_ words: [Word]) -> CInt {
  BrokenPipe.becomesAnError
  do throws(OptionError) {
    switch try faultfsOptions.read(words) {
    case .show(let text):
      try? OutputStream.output.write(text)
      return ExitCode.pass
    case .run(let reading):
      switch reading.verb {
      case lintVerb.name: return LintCommand(reading).run()
      case exploreVerb.name: return ExploreCommand(reading).run()
      case runVerb.name: return RunCommand(reading).run()
      case mountVerb.name: return MountCommand(reading).run(words)
      case ctlVerb.name: return CtlRun(reading).run()
      case traceVerb.name: return TraceCommand(reading).run()
      default: preconditionFailure("the table has a verb \(reading.verb ?? "-") that nothing does")
      }
    }
  } catch {
    complain("\(printable("\(error)"))\nTry 'faultfs --help'.")
    let verb = words.first { $0.bytes.first != UInt8(ascii: "-") }?.text
    return verb == runVerb.name ? ExitCode.runFailed : ExitCode.usage
  }
}
