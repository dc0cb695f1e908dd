import Files
import TestSupport
import Testing

@Suite struct VolumeContractTests {
  @Test(arguments: [PathResolution.inKernel, .byName], VolumeContract.rules)
  func hostVolumeKeeps(resolution: PathResolution, rule: VolumeContract.Rule) throws {
    let directory = try TemporaryDirectory()
    let volume = try HostVolume(root: directory.path, resolution: resolution)
    let subject = VolumeContract.Subject(
      volume: volume, makeSymbolicLink: directory.makeSymbolicLink, makeFIFO: directory.makeFIFO)
    #expect(rule.violations(of: subject) == [])
  }
}
