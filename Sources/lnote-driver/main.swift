import Glibc
import Options

exit(DriverProgram.run(Word.commandLine()))
