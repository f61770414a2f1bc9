import Dispatch
import Glibc
import Preview
import Synchronization
import TestSupport

@Suite(.timeLimit(.minutes(15))) struct WatcherTests {
  let folder = TemporaryFolder(inMemory: true)

  @Test func `stop returns immediately, and no more events follow`() throws {
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
      let time = VirtualClock()
      let ready = Counter()
      let coalescer = Coalescer(clock: time.clock) { ready.add(1) }
      let watcher = Watcher(
        [WatchedPath(folder.path)], into: coalescer, limit: round % 5 == 4 ? 1 : .max,
        pause: .milliseconds(5))
      #expect(eventually { time.waiting > 0 })
      watcher.stop()
      time.pass(.seconds(1))
      #expect(ready.value == 1)
      #expect(coalescer.next()?.isEmpty == false)
      watcher.stop()
      watcher.look()
      watcher.watch([WatchedPath(folder.path)])
      time.pass(.seconds(1))
      #expect(ready.value == 1)
    }
  }

  @Test func `several threads may change the watched paths during events`() throws {
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
          // The first path is always kept.
          watcher.watch([places[0]] + (number % 2 == 0 ? [] : [places[1 + number % 2]]))
          if number % 10 == thread { watcher.look() }
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

  @Test func `a released watcher stops and closes its descriptors`() async {
    await #expect(processExitsWith: .success) {
      func watchers() -> Int {
        let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        return (names ?? ["missing"]).count { name in
          let path = "/proc/self/fd/\(name)"
          let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
          return target?.contains("inotify") == true
        }
      }
      let folder = TemporaryFolder(inMemory: true)
      try folder.write("x", to: "a/file")
      for number in 0..<20 {
        let watcher = Watcher([WatchedPath(folder.path)], into: Coalescer())
        guard watchers() > 0 else { exit(2) }
        if number % 2 == 0 { watcher.stop() }
      }
      exit(eventually { watchers() == 0 } ? 0 : 3)
    }
  }
}
