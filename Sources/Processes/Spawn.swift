import CPosix
import Glibc

/// The three streams of a child to be: what it gets, and what stays here.
struct SpawnStreams {
  /// One stream.
  struct Side {
    /// What the child gets; nil for this program's own.
    let theirs: Descriptor?
    /// The other end of a pipe.
    let ours: Descriptor?
  }

  let input: Side
  let output: Side
  let error: Side

  init(_ launch: Launch) throws(ProcessCallError) {
    input = try SpawnStreams.side(launch.input, reads: true)
    output = try SpawnStreams.side(launch.output, reads: false)
    error = try SpawnStreams.side(launch.error, reads: false)
  }

  private static func side(_ stream: Launch.Stream, reads: Bool) throws(ProcessCallError) -> Side {
    switch stream {
    case .inherited: return Side(theirs: nil, ours: nil)
    case .descriptor(let descriptor): return Side(theirs: try aboveStandard(descriptor), ours: nil)
    case .nothing: return Side(theirs: try open(Array("/dev/null".utf8), O_RDWR), ours: nil)
    case .file(let path):
      let flags = reads ? O_RDONLY : O_WRONLY | O_CREAT | O_TRUNC
      return Side(theirs: try open(path, flags), ours: nil)
    case .append(let path):
      let flags = O_WRONLY | O_CREAT | O_APPEND
      return Side(theirs: try open(path, flags), ours: nil)
    case .pipe:
      let ends = try makePipe()
      return reads ? Side(theirs: ends.reading, ours: ends.writing) : Side(theirs: ends.writing, ours: ends.reading)
    }
  }

  private static func open(_ path: [UInt8], _ flags: CInt) throws(ProcessCallError) -> Descriptor {
    let name = String(decoding: path, as: UTF8.self)
    let bytes = path.map { CChar(bitPattern: $0) } + [0]
    return Descriptor(try retrying("open", name) { Glibc.open(bytes, flags | O_CLOEXEC, 0o644) })
  }
}

/// posix_spawnp(3) with everything a `Launch` asks for.
func spawn(_ launch: Launch, _ streams: SpawnStreams) throws(ProcessCallError) -> pid_t {
  let name = String(decoding: launch.program, as: UTF8.self)
  var actions = posix_spawn_file_actions_t()
  var attributes = posix_spawnattr_t()
  posix_spawn_file_actions_init(&actions)
  posix_spawnattr_init(&attributes)
  defer {
    posix_spawn_file_actions_destroy(&actions)
    posix_spawnattr_destroy(&attributes)
  }

  let sides = [(streams.input, STDIN_FILENO), (streams.output, STDOUT_FILENO), (streams.error, STDERR_FILENO)]
  for (side, number) in sides {
    // Ours are all above the standard three, so no dup2 takes away what a later one needs.
    if let theirs = side.theirs { posix_spawn_file_actions_adddup2(&actions, theirs.number, number) }
  }
  var failure = cposix_spawn_close_from(&actions, STDERR_FILENO + 1)
  if failure == 0, let directory = launch.workingDirectory {
    failure = cposix_spawn_chdir(&actions, directory.map { CChar(bitPattern: $0) } + [0])
  }

  var flags = Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)
  if launch.hasOwnGroup {
    flags |= Int32(POSIX_SPAWN_SETPGROUP)
    posix_spawnattr_setpgroup(&attributes, 0)
  }
  var none = sigset_t()
  var all = sigset_t()
  sigemptyset(&none)
  sigfillset(&all)
  posix_spawnattr_setsigmask(&attributes, &none)
  posix_spawnattr_setsigdefault(&attributes, &all)
  posix_spawnattr_setflags(&attributes, Int16(flags))

  var id: pid_t = 0
  if failure == 0 {
    failure = withCStrings([launch.program] + launch.arguments) { words in
      withCStrings(environment(changedBy: launch)) { variables in
        posix_spawnp(&id, words[0].unsafelyUnwrapped, &actions, &attributes, words, variables)
      }
    }
  }
  if failure != 0 { throw ProcessCallError("posix_spawn", name, failure) }
  return id
}

/// This program's environment with the changes asked for; "NAME=value" each.
private func environment(changedBy launch: Launch) -> [[UInt8]] {
  var changes = launch.environment
  if launch.crashesQuietly { changes.append(("SWIFT_BACKTRACE", "enable=no")) }
  var variables = ownEnvironment()
  for change in changes {
    variables.removeAll { $0.starts(with: Array("\(change.name)=".utf8)) }
    if let value = change.value { variables.append(Array("\(change.name)=\(value)".utf8)) }
  }
  return variables
}

private func ownEnvironment() -> [[UInt8]] {
  var variables: [[UInt8]] = []
  guard var next = cposix_environment() else { return [] }
  while let variable = next.pointee {
    variables.append(UnsafeBufferPointer(start: variable, count: strlen(variable)).map { UInt8(bitPattern: $0) })
    next += 1
  }
  return variables
}

/// Calls `body` with a null-terminated array of C strings; a string ends at its first zero byte.
private func withCStrings(
  _ strings: [[UInt8]], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> CInt
) -> CInt {
  var offsets: [Int] = []
  var bytes: [CChar] = []
  for string in strings {
    offsets.append(bytes.count)
    bytes += string.map { CChar(bitPattern: $0) } + [0]
  }
  return bytes.withUnsafeMutableBufferPointer { all in
    var pointers: [UnsafeMutablePointer<CChar>?] = offsets.map { all.baseAddress?.advanced(by: $0) } + [nil]
    return pointers.withUnsafeMutableBufferPointer { body($0.baseAddress.unsafelyUnwrapped) }
  }
}
