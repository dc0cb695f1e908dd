import FileTracing
import Files
import Glibc
import Processes
import TestSupport
import Testing

@testable import FaultFS

extension MountTests {
  /// Names in several spellings, through the kernel, which remembers names by their bytes.
  @Suite struct FaultFSNamesTests {
    private func run(_ script: String, _ options: [String] = ["--names", "case-insensitive,normalising"]) throws {
      let mount = try FaultFSMount(options)
      let result = try mount.run("python3", ["-c", Self.beginning + script])
      #expect(result.ending.isSuccess, "\(result.errorText)")
    }

    private static let beginning = """
      import os
      def make(name, text='x'):
        with open(name, 'w') as file: file.write(text)
      def is_there(name):
        try: os.stat(name); return True
        except FileNotFoundError: return False

      """

    @Test func whatIsRemovedIsGoneInEverySpelling() throws {
      try run(
        """
        make('Page'); assert is_there('page') and is_there('PAGE')
        os.unlink('PAGE')
        assert not is_there('page') and not is_there('Page') and not is_there('PAGE') and os.listdir() == []
        assert not is_there('New'); make('NEW'); assert is_there('New') and is_there('new')
        os.mkdir('Dir'); make('dir/x'); assert os.listdir('DIR') == ['x']
        os.unlink('DIR/X'); os.rmdir('dIR'); assert not is_there('Dir')
        """)
    }

    @Test func aRenameGivesTheSpelling() throws {
      try run(
        """
        make('a', '1'); os.rename('a', 'A'); assert os.listdir() == ['A']
        os.rename('a', 'b'); assert os.listdir() == ['b'] and not is_there('A')
        is_there('b'); os.rename('B', 'c'); assert os.listdir() == ['c']
        os.rename('c', 'C'); os.rename('C', 'c'); os.rename('c', 'C'); assert os.listdir() == ['C']
        make('x', '2'); os.rename('x', 'c'); assert os.listdir() == ['c'] and open('C').read() == '2'
        os.mkdir('dir'); os.rename('dir', 'DIR'); os.unlink('C'); assert os.listdir() == ['DIR']
        make('Dir/f'); os.rename('dir/F', 'DIR/F'); assert os.listdir('dir') == ['f']
        os.rename('dir/f', 'DIR/F'); assert os.listdir('dir') == ['F']
        os.link('dir/f', 'dir/g'); os.rename('dir/f', 'dir/G'); assert sorted(os.listdir('dir')) == ['F', 'g']
        """)
    }

    @Test func twoSpellingsAreInEachOthersWay() throws {
      try run(
        """
        make('readme')
        for flags in (os.O_CREAT | os.O_EXCL | os.O_WRONLY,):
          try: os.open('README', flags); raise SystemExit('made twice')
          except FileExistsError: pass
        make('README', 'over'); assert open('readme').read() == 'over' and os.listdir() == ['readme']
        for make_it in (os.mkdir, lambda name: os.link('readme', name), lambda name: os.symlink('x', name)):
          try: make_it('Readme'); raise SystemExit('made twice')
          except FileExistsError: pass
        assert os.stat('readme').st_nlink == 1
        """)
    }

    @Test func theFormsOfUnicodeAreOneName() throws {
      let script = """
        import unicodedata
        apart, whole = (unicodedata.normalize(form, 'é') for form in ('NFD', 'NFC'))
        make(apart, 'text'); assert open(whole).read() == 'text' and os.listdir() == [apart]
        os.rename(apart, whole); assert os.listdir() == [whole]
        os.unlink(apart); assert not is_there(whole) and not is_there(apart)
        make(b'\\xff'); assert not is_there(b'\\xfe')
        """
      try run(script)
      try run(script + "\nmake('a'); assert not is_there('A')", ["--names", "normalising"])
    }

    @Test func withoutRulesBytesAreAllThatCounts() throws {
      try run(
        """
        make('a'); make('A'); assert not is_there('e\\u0301'); make('\\u00e9'); assert not is_there('e\\u0301')
        os.rename('a', 'A'); assert sorted(os.listdir()) == ['A', '\\u00e9']
        """, [])
    }

    @Test(.enabled(if: access("/usr/bin/git", X_OK) == 0, "needs git"))
    func gitSeesADiskThatIgnoresCase() throws {
      let mount = try FaultFSMount(["--names", "case-insensitive"])
      let script = """
        git init -q . && git config core.ignorecase && echo x > readme && git add . &&
        git -c user.name=a -c user.email=a@b commit -qm 1 && git mv readme README && git status --short && ls
        """
      let result = try mount.run("sh", ["-c", script])
      #expect(result.outputText == "true\nR  readme -> README\nREADME\n", "\(result.errorText)")
    }

    @Test func unknownWordsAreRefused() throws {
      let result = try Launch(try builtProgram("faultfs").description, ["run", "--names", "upper", "true"])
        .run(limitMilliseconds: 30_000)
      #expect(result.ending == .exited(125))
      #expect(
        result.errorText.contains(
          "--names: 'upper' is no rule for names; write case-insensitive or normalising, or both with a comma"),
        "\(result.errorText)")
    }
  }
}

/// Which look-up is the second one of a rename to another spelling.
@Suite struct RespellingWatchTests {
  private static let call = RenameCall(line: [1], from: "a", to: "A")

  /// What the watch says of look-ups of thread 1 unless said otherwise, all of them of an entry stored as "a".
  private static func watch(
    _ lookups: [(name: BytePath, call: RenameCall?)], threads: [Int32] = [], directories: [UInt64] = []
  ) -> [Bool] {
    var watch = RespellingWatch()
    return lookups.indices.map { place in
      watch.isTarget(
        lookups[place].name, storedAs: "a", in: directories.isEmpty ? 1 : directories[place],
        threads.isEmpty ? 1 : threads[place], in: lookups[place].call)
    }
  }

  @Test func itIsTheOtherSpellingInTheSameCall() {
    #expect(Self.watch([("a", Self.call), ("A", Self.call), ("A", Self.call)]) == [false, true, true])
    let back = RenameCall(line: [1], from: "A", to: "a")
    #expect(Self.watch([("A", back), ("a", back)]) == [false, true])
  }

  @Test func noOtherLookUpIs() {
    #expect(Self.watch([("a", nil), ("A", nil)]) == [false, false])
    #expect(Self.watch([("a", nil), ("A", Self.call)]) == [false, false])
    #expect(Self.watch([("a", Self.call), ("a", Self.call)]) == [false, false])
    #expect(Self.watch([("a", Self.call), ("A", RenameCall(line: [2], from: "a", to: "A"))]) == [false, false])
    #expect(Self.watch([("a", Self.call), ("A", Self.call)], threads: [1, 2]) == [false, false])
    #expect(Self.watch([("a", Self.call), ("A", Self.call)], directories: [1, 2]) == [false, false])
    // rename("a/f", "A/f"): the directories on the way.
    let within = RenameCall(line: [1], from: "f", to: "f")
    #expect(Self.watch([("a", within), ("A", within)]) == [false, false])
  }

  @Test func behindItsRenameNothingIs() {
    var watch = RespellingWatch()
    let first = watch.isTarget("a", storedAs: "a", in: 1, 1, in: Self.call)
    watch.noteRename(by: 1)
    let second = watch.isTarget("A", storedAs: "a", in: 1, 1, in: Self.call)
    #expect(!first && !second)
  }

  /// The calls of this machine: where their paths are, only the kernel's numbers say.
  @Test func onlyRenamesHavePlaces() {
    #expect(RenameCall.places(ofPathsIn: Array("running\n".utf8)) == nil)
    #expect(RenameCall.places(ofPathsIn: []) == nil)
    // read(2) on x86_64 and on arm64.
    for number in [0, 63] {
      #expect(RenameCall.places(ofPathsIn: Array("\(number) 0x1 0x2 0x3 0x4 0x0 0x0 0x7 0x8".utf8)) == nil)
    }
    let numbers = (0..<1024).filter { RenameCalls.paths(ofCall: $0) != nil }
    #expect(numbers.count == 2 || numbers.count == 3)
    let last = numbers.last ?? 0
    let places = RenameCall.places(ofPathsIn: Array("\(last) 0xffffff9c 0x2a 0xffffff9c 0x2b 0x0 0x0 0x7 0x8\n".utf8))
    #expect(places?.from == 0x2A && places?.to == 0x2B)
    #expect(RenameCall.places(ofPathsIn: Array("\(last) 0xffffff9c 0x2a".utf8)) == nil)
  }
}
