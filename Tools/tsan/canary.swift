// Two threads count: under a `Mutex`, of which the thread sanitizer must say nothing, and with the word `race` past it,
// which it must report. Tools/test-tsan.sh runs both before it believes the sanitizer.
import Glibc
import Synchronization

final class Counters: @unchecked Sendable {
  let guarded = Mutex(0)
  var bare = 0
}

let counters = Counters()
let races = CommandLine.arguments.contains("race")
let roundCount = 300_000

func count(_: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  for _ in 0..<roundCount {
    counters.guarded.withLock { number in
      number += 1
      if !races { counters.bare += 1 }
    }
    if races { counters.bare += 1 }
  }
  return nil
}

var threads = [pthread_t(), pthread_t()]
for place in threads.indices { pthread_create(&threads[place], nil, count, nil) }
for thread in threads { pthread_join(thread, nil) }
