import Options
import Processes
import Terminal

// Everything is in functions: what stands in main.swift itself would belong to the main actor.
BrokenPipe.becomesAnError
ScenarioProgram.end(with: ScenarioProgram.run(Word.commandLine()))
