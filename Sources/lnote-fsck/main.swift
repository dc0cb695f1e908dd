import Glibc
import Options

exit(await FsckProgram.run(Word.commandLine()))
