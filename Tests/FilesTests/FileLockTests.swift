import Files
import Glibc
import Synchronization
import TestSupport

struct FileLockTests {
  let temporary = TemporaryFolder()
  let folder: Folder

  init() throws { folder = try Folder(opening: temporary.path) }

  func acquire() throws -> FileLock? {
    guard case .acquired(let lock) = try FileLock.acquire(".lock", in: folder) else { return nil }
    return lock
  }

  @Test func `acquiring a held lock returns its holder`() throws {
    let lock = try #require(try acquire())
    #expect(try temporary.text(of: ".lock") == "pid \(getpid())\n")
    guard case .held(let holder) = try FileLock.acquire(".lock", in: folder) else {
      Issue.record("the lock was acquired twice")
      return
    }
    #expect(holder == "pid \(getpid())")
    withExtendedLifetime(lock) {}
  }

  @Test func `a released lock can be acquired again`() throws {
    do {
      let lock = try #require(try acquire())
      #expect(!lock.wasAbandoned)
    }
    #expect(try temporary.text(of: ".lock") == "")
    let again = try #require(try acquire())
    #expect(!again.wasAbandoned)
  }

  @Test func `a lock can be released while it is still referenced`() throws {
    let lock = try #require(try acquire())
    lock.release()
    #expect(try temporary.text(of: ".lock") == "")
    let next = try #require(try acquire())
    #expect(!next.wasAbandoned)
    // Releasing the first lock again does not erase the next holder's text.
    lock.release()
    #expect(try temporary.text(of: ".lock") == "pid \(getpid())\n")
    withExtendedLifetime((lock, next)) {}
  }

  @Test func `the next holder learns that the lock was abandoned`() throws {
    let lock = try #require(try acquire())
    lock.abandon()
    lock.release()
    #expect(try #require(try acquire()).wasAbandoned)
    #expect(try #require(try acquire()).wasAbandoned == false)
  }

  /// A forked child inherits open files until it calls `exec`.
  @Test func `a lock can be reacquired while child processes start`() throws {
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

  /// F28: the lock file of a killed process does not block, but marks its work as unfinished.
  @Test func `a stale lock file does not block the next holder`() throws {
    try temporary.write("pid 1\n", to: ".lock")
    let lock = try #require(try acquire())
    #expect(lock.wasAbandoned)
    #expect(try temporary.text(of: ".lock") == "pid \(getpid())\n")
  }

  @Test func `a new holder completely replaces the previous holder's text`() throws {
    try temporary.write("pid 123456789 and more\nx\n", to: ".lock")
    let lock = try #require(try acquire())
    #expect(try temporary.text(of: ".lock") == "pid \(getpid())\n")
    withExtendedLifetime(lock) {}
  }

  @Test func `after a lock file is deleted, the old lock does not affect the next one`() throws {
    var old = try acquire()
    #expect(old != nil)
    try temporary.remove(".lock")
    let new = try #require(try acquire())
    old = nil
    #expect(try temporary.text(of: ".lock") == "pid \(getpid())\n")
    #expect(try acquire() == nil)
    withExtendedLifetime(new) {}
  }

  /// F28: the holder detects a replaced file, and recreates a missing one as a marker.
  @Test func `a holder detects that its lock file was replaced`() throws {
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

  @Test func `a symlink or pipe in place of the lock file is rejected`() throws {
    try temporary.write("precious", to: "precious")
    try temporary.link(".lock", to: "precious")
    #expect(throws: FileError.self) { try acquire() }
    #expect(try temporary.text(of: "precious") == "precious")
    try temporary.remove(".lock")
    #expect(unsafe mkfifo(temporary.path(of: ".lock"), 0o600) == 0)
    #expect(throws: FileError.self) { try acquire() }
  }

  @Test func `only one thread at a time holds the lock`() throws {
    let folder = folder
    let winners = Collected()
    for _ in 0..<500 {
      DispatchQueue.concurrentPerform(iterations: 4) { thread in
        if case .acquired(let lock)? = try? FileLock.acquire(".lock", in: folder) {
          let before = winners.all.count
          winners.add("\(thread)")
          // The earlier holders have released the lock.
          #expect(!lock.wasAbandoned)
          #expect(winners.all.count == before + 1)
          withExtendedLifetime(lock) {}
        }
      }
    }
    #expect(winners.all.count >= 500)
  }
}
