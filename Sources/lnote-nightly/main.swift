import Options
import Processes

// Everything is in functions: what stands in main.swift itself would belong to the main actor.
BrokenPipe.becomesAnError
NightlyProgram.end(with: NightlyProgram.run(Word.commandLine()))
