import Files
import Glibc
import Synchronization
import TestSupport

struct FileLockTests {
  let temporary = TemporaryFolder()
  let folder: Folder

  init() throws {
    folder = try Folder(opening: temporary.path)
  }

  func acquire() throws -> FileLock? {
    guard case .acquired(let lock) = try FileLock.acquire(".lock", in: folder) else { return nil }
    return lock
  }

  @Test func `a held lock names its holder`() throws {
    let lock = try #require(try acquire())
    #expect(try temporary.text(of: ".lock") == "pid \(getpid())\n")
    guard case .held(let holder) = try FileLock.acquire(".lock", in: folder) else {
      Issue.record("acquired twice")
      return
    }
    #expect(holder == "pid \(getpid())")
    withExtendedLifetime(lock) {}
  }

  @Test func `a released lock can be taken again`() throws {
    do {
      let lock = try #require(try acquire())
      #expect(!lock.wasAbandoned)
    }
    #expect(try temporary.text(of: ".lock") == "")
    let again = try #require(try acquire())
    #expect(!again.wasAbandoned)
  }

  @Test func `a lock that is given back is free while somebody still refers to it`() throws {
    let lock = try #require(try acquire())
    lock.release()
    #expect(try temporary.text(of: ".lock") == "")
    let next = try #require(try acquire())
    #expect(!next.wasAbandoned)
    // The next holder's words stay.
    lock.release()
    #expect(try temporary.text(of: ".lock") == "pid \(getpid())\n")
    withExtendedLifetime((lock, next)) {}
  }

  @Test func `the next holder of an abandoned lock sweeps`() throws {
    let lock = try #require(try acquire())
    lock.abandon()
    lock.release()
    #expect(try #require(try acquire()).wasAbandoned)
    #expect(try #require(try acquire()).wasAbandoned == false)
  }

  /// A child has our open files for a moment, until it runs its own program.
  @Test func `a child that is being started keeps no released lock`() throws {
    let isDone = Atomic(false)
    let started = DispatchGroup()
    DispatchQueue.global().async(group: started) {
      while !isDone.load(ordering: .relaxed) {
        let child = try? Process.run(URL(fileURLWithPath: "/bin/true"), arguments: [])
        child?.waitUntilExit()
      }
    }
    defer {
      isDone.store(true, ordering: .relaxed)
      started.wait()
    }
    for _ in 0..<3000 {
      let lock = try #require(try acquire())
      withExtendedLifetime(lock) {}
    }
  }

  /// F28: the file of a killed process locks nobody out, and tells that it was left in the middle.
  @Test func `a stale file is no lock`() throws {
    try temporary.write("pid 1\n", to: ".lock")
    let lock = try #require(try acquire())
    #expect(lock.wasAbandoned)
    #expect(try temporary.text(of: ".lock") == "pid \(getpid())\n")
  }

  @Test func `a longer text of an earlier holder is replaced`() throws {
    try temporary.write("pid 123456789 and more\nx\n", to: ".lock")
    let lock = try #require(try acquire())
    #expect(try temporary.text(of: ".lock") == "pid \(getpid())\n")
    withExtendedLifetime(lock) {}
  }

  @Test func `a removed file gives a new lock, and the old holder harms nobody`() throws {
    var old = try acquire()
    #expect(old != nil)
    try temporary.remove(".lock")
    let new = try #require(try acquire())
    old = nil
    #expect(try temporary.text(of: ".lock") == "pid \(getpid())\n")
    #expect(try acquire() == nil)
    withExtendedLifetime(new) {}
  }

  /// F28: the holder finds out, and leaves a file where none is: it marks the folder.
  @Test func `a holder knows whether its lock is the one that others see`() throws {
    let lock = try #require(try acquire())
    #expect(lock.isHeld)
    try temporary.remove(".lock")
    #expect(!lock.isHeld)
    try temporary.write("mine", to: ".lock")
    #expect(!lock.isHeld)
    lock.release()
    #expect(!lock.isHeld)
    #expect(try temporary.text(of: ".lock") == "mine")

    try temporary.remove(".lock")
    let next = try #require(try acquire())
    try temporary.remove(".lock")
    next.release()
    #expect(try temporary.text(of: ".lock") == "")
    let last = try #require(try acquire())
    #expect(!last.wasAbandoned)
  }

  @Test func `a lock is not taken through a link or on a pipe`() throws {
    try temporary.write("precious", to: "precious")
    try temporary.link(".lock", to: "precious")
    #expect(throws: FileError.self) { try acquire() }
    #expect(try temporary.text(of: "precious") == "precious")
    try temporary.remove(".lock")
    #expect(unsafe mkfifo(temporary.path(of: ".lock"), 0o600) == 0)
    #expect(throws: FileError.self) { try acquire() }
  }

  @Test func `one of many threads gets it`() throws {
    let folder = folder
    let winners = Collected()
    for _ in 0..<500 {
      DispatchQueue.concurrentPerform(iterations: 4) { thread in
        if case .acquired(let lock)? = try? FileLock.acquire(".lock", in: folder) {
          let before = winners.all.count
          winners.add("\(thread)")
          // Whoever had it before has given it back.
          #expect(!lock.wasAbandoned)
          #expect(winners.all.count == before + 1)
          withExtendedLifetime(lock) {}
        }
      }
    }
    #expect(winners.all.count >= 500)
  }
}
