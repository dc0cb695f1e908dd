import Glibc
import Testing

@testable import Processes

@Suite(.serialized) struct SocketTests {
  /// A path in a directory of its own, which is removed afterwards.
  private func withPath(_ body: ([UInt8]) throws -> Void) throws {
    var template = Array("/tmp/lnote-socket-XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    let name = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer {
      unlink(name + "/s")
      rmdir(name)
    }
    try body(Array((name + "/s").utf8))
  }

  private func mode(of path: [UInt8]) -> mode_t {
    var status = stat()
    return lstat(String(decoding: path, as: UTF8.self), &status) == 0 ? status.st_mode & 0o7777 : 0
  }

  @Test func exchangesLines() throws {
    try withPath { path in
      let listener = try SocketListener(path: path)
      #expect(mode(of: path) == 0o600)
      #expect(try listener.accept(until: .after(milliseconds: 0)) == nil)
      let client = try LineChannel.connect(path: path)
      let server = try #require(try listener.accept(until: .after(milliseconds: 5000)))
      try client.send(Array("ask".utf8))
      #expect(try server.receive() == Array("ask".utf8))
      try server.send(Array("answer".utf8))
      #expect(try client.receive() == Array("answer".utf8))
      listener.removeName()
      #expect(throws: ProcessCallError("connect", String(decoding: path, as: UTF8.self), ENOENT)) {
        try LineChannel.connect(path: path)
      }
    }
  }

  @Test func takesOverFromTheDeadAndNotFromTheLiving() throws {
    try withPath { path in
      let name = String(decoding: path, as: UTF8.self)
      do { _ = try SocketListener(path: path) }
      #expect(throws: ProcessCallError("connect", name, ECONNREFUSED)) { try LineChannel.connect(path: path) }
      let living = try SocketListener(path: path)
      #expect(throws: ProcessCallError("bind", name, EADDRINUSE)) { try SocketListener(path: path) }
      _ = living
    }
  }

  @Test func leavesAForeignFileAlone() throws {
    try withPath { path in
      let name = String(decoding: path, as: UTF8.self)
      close(open(name, O_CREAT | O_WRONLY, 0o640))
      #expect(throws: ProcessCallError("bind", name, EADDRINUSE)) { try SocketListener(path: path) }
      #expect(mode(of: path) == 0o640)
    }
  }

  @Test func refusesAPathTooLong() {
    let path = [UInt8](repeating: 0x61, count: 108)
    let name = String(decoding: path, as: UTF8.self)
    #expect(throws: ProcessCallError("socket", name, ENAMETOOLONG)) { try SocketListener(path: path) }
    #expect(throws: ProcessCallError("socket", "", EINVAL)) { try LineChannel.connect(path: []) }
  }

  @Test func aClosedPartnerIsAnError() throws {
    let (one, _) = try LineChannel.pair()
    #expect(throws: ProcessCallError("write", "", EPIPE)) { try one.send([1]) }
    #expect(try one.receive() == nil)
  }
}

@Suite(.serialized) struct SignalTests {
  @Test func deliversSignalsAsValues() throws {
    // On a thread of its own, since the mask belongs to the thread.
    let (here, there) = try LineChannel.pair()
    try startThread {
      guard let watch = try? SignalWatch([SIGUSR1]) else { return }
      let before = try? watch.next(until: .after(milliseconds: 0))
      pthread_kill(pthread_self(), SIGUSR1)
      let found = try? watch.next(until: .after(milliseconds: 5000))
      try? there.send(Array("\(before == .some(nil)) \(found == SIGUSR1)".utf8))
    }
    #expect(try here.receive(until: .after(milliseconds: 10_000)) == Array("true true".utf8))
  }

  @Test func knowsWhereThisProgramLies() throws {
    #expect(try OwnProgram.directory().first == UInt8(ascii: "/"))
  }
}
