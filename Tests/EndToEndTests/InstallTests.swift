import Files
import Processes
import TestSupport
import Testing

/// `make install` puts programs, manual pages and completions below a prefix, and `make uninstall` takes them away again.
struct InstallTests {
  private let place: TemporaryDirectory

  init() throws { place = try TemporaryDirectory("install") }

  private func install(_ deed: String, _ words: [String], destination: String? = nil) throws -> ProgramResult {
    let programs = try builtProgram("lnote-fsck").parent
    var launch = Launch("/bin/bash", ["Tools/install.sh", deed, programs.description] + words)
    launch.workingDirectory = repositoryRoot.bytes
    launch.environment = [("DESTDIR", destination)]
    return try launch.run(limitMilliseconds: Workshop.millisecondsMax)
  }

  private func files(in folder: BytePath) throws -> Set<String> {
    Set(
      try HostVolume(root: folder).tree().map(\.description).filter { path in
        try HostVolume(root: folder).status(at: BytePath(path)).kind == .regular
      })
  }

  private static func files(of program: String, zsh: String) -> [String] {
    [
      "bin/\(program)", "share/man/man1/\(program).1", "share/bash-completion/completions/\(program)",
      "share/zsh/\(zsh)/_\(program)", "share/fish/vendor_completions.d/\(program).fish",
    ]
  }

  @Test func installsAllAndTakesItAway() throws {
    let prefix = place.path.appending("opt")
    let installed = try install("install", ["\(prefix)"])
    #expect(installed.ending == .exited(0), "\(installed.errorText)")
    let programs = ["lnote-fsck", "faultfs", "lnote-scenario", "lnote-nightly"]
    let wanted = programs.flatMap { InstallTests.files(of: $0, zsh: "site-functions") }
    #expect(try files(in: prefix) == Set(wanted + ["libexec/lnote/lnote-driver"]))
    // A live run finds the driver and the file system beside itself.
    if FuseHere.isUsable {
      var launch = Launch("\(prefix)/bin/lnote-scenario", ["run", "Scenarios/photo-power-cut.scn"])
      launch.workingDirectory = repositoryRoot.bytes
      #expect(try launch.run(limitMilliseconds: Workshop.millisecondsMax).ending == .exited(0))
    }
    let other = try HostVolume(root: prefix)
    try other.close(try other.open("share/man/man1/other.1", for: .creating(permissions: 0o644)))
    #expect(try install("remove", ["\(prefix)"]).ending == .exited(0))
    #expect(try files(in: prefix) == ["share/man/man1/other.1"])
  }

  @Test func onePackageGoesBelowAnotherRoot() throws {
    let result = try install("install", ["/usr", "lnote-fsck"], destination: place.text)
    #expect(result.ending == .exited(0), "\(result.errorText)")
    let wanted = InstallTests.files(of: "lnote-fsck", zsh: "vendor-completions").map { "usr/" + $0 }
    #expect(try files(in: place.path) == Set(wanted))
    let manual = try HostVolume(root: place.path).readWhole("usr/share/man/man1/lnote-fsck.1", sizeMax: 1 << 20)
    #expect(String(decoding: manual, as: UTF8.self).contains(".TH LNOTE-FSCK 1"))
    let program = try HostVolume(root: place.path).status(at: "usr/bin/lnote-fsck")
    #expect(program.permissions == 0o755)
  }

  @Test func saysWhatIsMissing() throws {
    let relative = try install("install", ["somewhere"])
    #expect(relative.ending == .exited(2))
    #expect(relative.errorText == "PREFIX must begin with a slash: somewhere\n")
    var launch = Launch("/bin/bash", ["Tools/install.sh", "install", place.text, "/opt"])
    launch.workingDirectory = repositoryRoot.bytes
    let unbuilt = try launch.run(limitMilliseconds: Workshop.millisecondsMax)
    #expect(unbuilt.ending == .exited(4))
    #expect(unbuilt.errorText.contains("Build first: make build"))
  }
}
