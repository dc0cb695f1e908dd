import Testing

@testable import Options

/// Completions of a program with verbs: each verb has its own options.
struct VerbCompletionTests {
  @Test func eachVerbHasItsOptions() {
    let table = OptionReadingTests.verbs
    let bash = table.completion(for: .bash)
    #expect(bash.contains("case $word in run | exec | list) verb=$word; break ;; esac"))
    #expect(bash.contains("elif [[ -z $verb ]]; then"))
    let fish = table.completion(for: .fish)
    for verb in table.verbs {
      #expect(bash.contains("\n      \(verb.name)) word='"))
      for option in verb.options {
        #expect(fish.contains("-n '__fish_seen_subcommand_from \(verb.name)'"))
        #expect(fish.contains(" -l \(option.long) "))
      }
      #expect(table.manual.contains("\n.SS \(verb.name)\n"))
    }
  }
}
