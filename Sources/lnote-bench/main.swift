import Glibc
import Options

exit(BenchProgram.run(Word.commandLine()))
