import Dispatch
import Glibc
import Preview
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) struct WatcherTests {
  let folder = TemporaryFolder(inMemory: true)

  /// The thread that reads is held until more has happened than the kernel keeps.
  @Test func `when events were dropped, anything may have changed and all is watched anew`() throws
  {
    let limit = try #require(
      Int(
        try String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
          .trimmingCharacters(in: .whitespacesAndNewlines)))
    for name in ["a/1", "a/2", "gone/1", "moved/in/1"] { try folder.write("x", to: name) }
    let gate = DispatchSemaphore(value: 0)
    var options = WatchTestOptions()
    options.beforeReading = {
      gate.wait()
      gate.signal()
    }
    let site = WatchedFolder(folder, ["", "later/file"], options: options)
    let changed = try site.union {
      for number in 0...limit / 2 {
        for name in ["a/1", "a/2"] { try folder.setModified(name, to: number) }
      }
      // None of this is told.
      try folder.write("x", to: "new/in/1")
      try folder.write("x", to: "later/file")
      try folder.remove("gone")
      try Doing.rename(folder, "moved", to: "a/moved")
      gate.signal()
    }
    #expect(changed.contains("*"))
    #expect(site.union {} == [])
    for name in ["a/1", "new/in/1", "a/moved/in/1", "later/file"] {
      #expect(try site.batch { try folder.write("y", to: name) } == [name])
    }
    #expect(
      try site.batch { try Doing.rename(folder, "a/moved", to: "moved") }
        == ["a/moved", "a/moved/in", "a/moved/in/1", "moved", "moved/in", "moved/in/1"])
  }

  @Test func `stopping does not wait for events to end, and nothing comes after it`() throws {
    let folder = folder
    for name in ["a/1", "b/2"] { try folder.write("x", to: name) }
    let isOver = Atomic(false)
    let pouring = DispatchGroup()
    for name in ["a/1", "b/2"] {
      DispatchQueue(label: name).async(group: pouring) {
        var number = 0
        while !isOver.load(ordering: .relaxed) {
          number += 1
          try? folder.setModified(name, to: number)
          try? folder.makeFolder("\(name.prefix(1))/\(number % 7)")
          try? folder.remove("\(name.prefix(1))/\((number + 3) % 7)")
        }
      }
    }
    defer {
      isOver.store(true, ordering: .relaxed)
      pouring.wait()
    }
    for round in 0..<50 {
      var options = WatchTestOptions()
      options.pause = .milliseconds(5)
      if round % 5 == 4 { options.limit = 4 }
      let time = VirtualClock()
      let ready = Counter()
      let coalescer = Coalescer(clock: time.clock) { ready.add(1) }
      let watcher = Watcher([WatchedPath(folder.path)], into: coalescer, options: options)
      #expect(eventually { time.waiting > 0 })
      watcher.stop()
      time.pass(.seconds(1))
      #expect(ready.value == 1)
      #expect(coalescer.next()?.isEmpty == false)
      watcher.stop()
      watcher.catchUp()
      watcher.watch([WatchedPath(folder.path)])
      time.pass(.seconds(1))
      #expect(ready.value == 1)
    }
  }

  @Test func `several threads may change what is watched while events come`() throws {
    let folder = folder
    let coalescer = Coalescer(quiet: .milliseconds(1), atMost: .milliseconds(5))
    for name in ["a", "b", "c"] { try folder.write("x", to: "\(name)/file") }
    let places = ["a", "b", "c"].map { WatchedPath(folder.path(of: $0)) }
    let watcher = Watcher(places, into: coalescer)
    let working = DispatchGroup()
    for thread in 0..<3 {
      DispatchQueue(label: "\(thread)").async(group: working) {
        for number in 0..<100 {
          try? folder.write("y", to: "a/\(thread)-\(number)")
          // The first place always stays.
          watcher.watch([places[0]] + (number % 2 == 0 ? [] : [places[1 + number % 2]]))
          if number % 10 == thread { watcher.catchUp() }
        }
      }
    }
    let all = Set(
      (0..<3).flatMap { thread in
        (0..<100).map { FileChange.path(folder.path(of: "a/\(thread)-\($0)")) }
      })
    var seen: Set<FileChange> = []
    while !seen.isSuperset(of: all), let batch = coalescer.next() { seen.formUnion(batch) }
    working.wait()
    watcher.stop()
  }

  @Test func `a watcher that nobody keeps stops by itself, and gives back what it had`() async {
    await #expect(processExitsWith: .success) {
      func descriptors() -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? -1
      }
      let folder = TemporaryFolder(inMemory: true)
      try folder.write("x", to: "a/file")
      // The first timer of Dispatch opens descriptors that stay open.
      let fired = DispatchSemaphore(value: 0)
      CoalescerClock.real().wait(.milliseconds(1)) { fired.signal() }
      fired.wait()
      // What else is opened only once is open after the first two rounds.
      func round(_ number: Int) throws {
        let site = WatchedFolder(folder)
        let before = descriptors()
        let other = Watcher([WatchedPath(folder.path)], into: Coalescer())
        guard descriptors() >= before + 2 else { exit(2) }
        guard try site.batch({ try Doing.write(folder, "y", to: "a/file") }) == ["a/file"] else {
          exit(3)
        }
        if number % 2 == 0 { other.stop() }
        guard number % 2 == 1 || descriptors() == before else { exit(4) }
      }
      try round(0)
      try round(1)
      let before = descriptors()
      for number in 0..<50 { try round(number) }
      exit(descriptors() == before ? 0 : 5)
    }
  }
}
