import Options
import Processes

// Everything is in functions: what stands in main.swift itself would belong to the main actor.
BrokenPipe.becomesAnError
DemoProgram.end(with: DemoProgram.run(Word.commandLine()))
