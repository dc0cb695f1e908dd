import CKernelCalls
import Files
import Glibc
import TestSupport
import Testing

extension MountTests {
  /// The same generated operations on a mount and on a file system of the kernel: the same answers, the same trees.
  ///
  /// `LNOTE_DIFFERENTIAL_OPERATIONS` says how many operations are compared with tmpfs (10,000 without it), and
  /// `LNOTE_DIFFERENTIAL_SEED` which seed is the first.
  @Suite struct FaultFSDifferentialTests {
    private static let stepsOfSequence = 500

    @Test(.enabled(if: geteuid() == 0, "needs root, to mount a tmpfs and to change users"))
    func behavesAsTmpfs() throws {
      let reference = try MountedReference.tmpfs()
      let mount = try FaultFSMount(["--allow-other"])
      let pair = KernelPair(
        mounted: mount.mountPoint, reference: reference.mountPoint, referenceName: "tmpfs",
        scope: KernelCallMaker.Scope(hasUsers: true), comparesTimes: true)
      try compare(pair, operations: Self.number("LNOTE_DIFFERENTIAL_OPERATIONS") ?? 10_000)
    }

    @Test(
      .enabled(if: MountedReference.hasExt4, "needs root, mkfs.ext4 and the right to mount an image by a loop device"))
    func behavesAsExt4() throws {
      let reference = try MountedReference.ext4()
      let mount = try FaultFSMount(["--allow-other"])
      let pair = KernelPair(
        mounted: mount.mountPoint, reference: reference.mountPoint, referenceName: "ext4",
        scope: KernelCallMaker.Scope(hasUsers: true, hasZeroRange: true, collapses: false, looksForHoles: false),
        comparesTimes: false)
      try compare(pair, operations: (Self.number("LNOTE_DIFFERENTIAL_OPERATIONS") ?? 10_000) / 5)
    }

    @Test(.enabled(if: geteuid() == 0, "needs root, to mount a tmpfs and to change users"))
    func extendedAttributesBehaveAsTmpfs() throws {
      let reference = try MountedReference.tmpfs()
      let mount = try FaultFSMount(["--xattrs"])
      var scope = KernelCallMaker.Scope()
      scope.hasAttributes = true
      // Where the kernel leaves permissions to the server, it does not look at the sticky bit (PosixDeviationsTests).
      scope.hasSticky = false
      let pair = KernelPair(
        mounted: mount.mountPoint, reference: reference.mountPoint, referenceName: "tmpfs", scope: scope,
        comparesTimes: true)
      try compare(pair, operations: Self.number("LNOTE_DIFFERENTIAL_OPERATIONS") ?? 5_000)
    }

    /// What long runs have found, each in the shortest form that shows it.
    static let onceDifferent: [[KernelStep]] = [
      // The set-group-ID bit of a file that its owner gives away without having been in its group.
      [
        KernelStep(call: .open("a", flags: O_RDWR | O_CREAT, mode: 0o2644, slot: 3), actor: .owner),
        KernelStep(call: .changeOwner("a", user: 1000, group: 65534)),
        KernelStep(call: .changeMode("a", mode: 0o2644)),
        KernelStep(call: .changeOwner("a", user: 1000, group: 1000), actor: .owner),
      ]
    ]

    @Test(.enabled(if: geteuid() == 0, "needs root, to mount a tmpfs and to change users"), arguments: onceDifferent)
    func isAsTmpfsNow(steps: [KernelStep]) throws {
      let reference = try MountedReference.tmpfs()
      let mount = try FaultFSMount(["--allow-other"])
      let pair = KernelPair(
        mounted: mount.mountPoint, reference: reference.mountPoint, referenceName: "tmpfs",
        scope: KernelCallMaker.Scope(hasUsers: true), comparesTimes: true)
      let found = try onOwnThread { try pair.difference(steps) }
      #expect(found == nil, "\(found?.description ?? "")")
    }

    private func compare(_ pair: KernelPair, operations: Int) throws {
      let first = UInt64(Self.number("LNOTE_DIFFERENTIAL_SEED") ?? 1)
      let sequences = (operations + Self.stepsOfSequence - 1) / Self.stepsOfSequence
      var differences = 0
      for seed in first..<first + UInt64(sequences) {
        var scope = pair.scope
        if pair.referenceName == "tmpfs" {
          scope.reserves = seed.isMultiple(of: 2)
          scope.looksForHoles = !scope.reserves
        }
        var maker = KernelCallMaker(seed: seed, scope: scope)
        let steps = KernelCallMaker.beginnings + (0..<Self.stepsOfSequence).map { _ in maker.next() }
        guard let found = try onOwnThread({ try pair.difference(steps) }) else { continue }
        let shortest = try onOwnThread { try pair.shrunk(found) }
        Issue.record("seed \(seed):\n\(shortest)")
        differences += 1
        if differences == Self.differencesShown { return }
      }
    }

    private static let differencesShown = 5

    private static func number(_ variable: String) -> Int? {
      getenv(variable).flatMap { Int(String(cString: $0)) }
    }
  }
}

/// Runs the body on a thread of its own, whose user it may change.
func onOwnThread<Answer>(_ body: () throws -> Answer) throws -> Answer {
  var result: Result<Answer, any Error>?
  try withoutActuallyEscaping(body) { body in
    let work = ThreadWork { result = Result { try body() } }
    var thread = pthread_t()
    let context = Unmanaged.passRetained(work)
    let status = pthread_create(
      &thread, nil,
      { pointer in
        guard let pointer else { return nil }
        Unmanaged<ThreadWork>.fromOpaque(pointer).takeRetainedValue().body()
        return nil
      }, context.toOpaque())
    guard status == 0 else {
      context.release()
      throw FileCallError("pthread_create", [], Errno(rawValue: status))
    }
    pthread_join(thread, nil)
  }
  guard let result else { throw MountFailure("a thread ended without an answer") }
  return try result.get()
}

private final class ThreadWork {
  let body: () -> Void
  init(_ body: @escaping () -> Void) { self.body = body }
}
