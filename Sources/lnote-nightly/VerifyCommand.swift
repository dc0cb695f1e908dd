import Campaigns
import Files
import Harness
import Inventing
import Options
import Scenarios
import Terminal

/// `lnote-nightly verify`: runs the files of failures again, and says which are fixed.
struct VerifyCommand {
  private let reading: OptionReading

  init(_ reading: OptionReading) { self.reading = reading }

  /// 0 where all of them pass each time, 1 where one fails, 3 where of one nothing can be said.
  func run() throws(Refusal) -> Int32 {
    var files = reading.operands.map { BytePath(bytes: $0.bytes) }
    if let path = reading.value("corpus") {
      let corpus = try Corpus(BytePath(bytes: path.bytes))
      files += try corpus.failingNames().map(corpus.path)
    }
    if files.isEmpty { throw Refusal(2, "say which: FILE..., or --corpus DIR for all that is known") }
    var status: Int32 = 0
    for file in files {
      let text = try Refusal.reading(file) { () throws(FileCallError) in
        let path = try Host.absolutePath(of: file)
        return try HostVolume(root: path.folderOnHost).readWhole(path.name, sizeMax: 1 << 20)
      }
      let (word, result) = try verify(String(decoding: text, as: UTF8.self), file)
      NightlyProgram.say("\(word.padded(to: 8)) \(printable(file.bytes))\n")
      status = status == 1 || result == 1 ? 1 : max(status, result)
    }
    return status
  }

  private func verify(_ text: String, _ file: BytePath) throws(Refusal) -> (word: String, status: Int32) {
    do throws(HarnessError) {
      let doors = try Doors(.inProcess)
      var (failed, passed) = (0, 0)
      for _ in 0..<CaseWork.againCount {
        let trial = ScenarioTrial(text: text, file: file.description, files: .beside(file), doors: doors)
        if trial.report == nil { throw .disk(trial.diagnostics) }
        if trial.report?.verdict == .failed { failed += 1 }
        if trial.report?.verdict == .passed { passed += 1 }
      }
      if failed > 0 { return (failed == CaseWork.againCount ? "fails" : "fails \(failed)/\(CaseWork.againCount)", 1) }
      return passed == CaseWork.againCount ? ("passes", 0) : ("unknown", 3)
    } catch {
      throw Refusal(2, error.description)
    }
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
