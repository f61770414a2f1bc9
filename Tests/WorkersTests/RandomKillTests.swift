import Files
import Glibc
import Recipes
import TestSupport
import Workers

/// Workers are killed while they work, and nobody sees it in the results.
struct RandomKillTests {
  /// I18: kill -9 workers at random during a run; all outputs are those of an undisturbed run.
  @Test func `jobs under fire give the bytes of jobs in peace`() throws {
    let bench = Bench()
    let requests = Mix.requests(count: Extent.isAll ? 200 : 80)
    let peace = bench.pool(width: 2)
    let expected = try Mix.run(requests, on: peace).outcomes
    let pool = bench.pool(width: 2)
    let seed = UInt64.random(in: 0 ... .max)
    // A worker that is killed after the last job is not replaced.
    for round in 0..<20 where pool.workersStarted <= 2 {
      let outcomes = try Mix.run(requests, on: pool, killing: seed &+ UInt64(round)).outcomes
      #expect(outcomes == expected, "seed \(seed), round \(round)")
    }
    #expect(pool.workersStarted > 2, "seed \(seed)")
  }

  /// I18: many jobs and killed workers leave no zombie process and no open descriptor.
  @Test func `jobs under fire leave nothing behind`() async {
    await #expect(processExitsWith: .success) {
      // A process of its own, since other tests open descriptors and start children meanwhile.
      let bench = Bench()
      let requests = Mix.requests(count: Extent.isAll ? 1_000 : 400)
      let seed = UInt64.random(in: 0 ... .max)
      print("workers are killed by seed \(seed)")
      // What the first use of threads, locks and files opens for good is open after a few jobs.
      do {
        let pool = bench.pool(width: 2)
        _ = try Mix.run(Array(requests.prefix(10)), on: pool, killing: seed)
        pool.stop()
      }
      let before = Self.openDescriptors()
      do {
        let pool = bench.pool(width: 2)
        let (_, kills) = try Mix.run(requests, on: pool, killing: seed)
        guard kills > requests.count / 50 else { exit(2) }
        pool.stop()
      }
      // No child is left, dead or alive.
      guard waitpid(-1, nil, WNOHANG) == -1, errno == ECHILD else { exit(3) }
      guard Self.openDescriptors() == before else { exit(4) }
    }
  }

  private static func openDescriptors() -> Int {
    ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []).count
  }
}

/// Jobs of several kinds, run by two threads.
enum Mix {
  static func requests(count: Int) -> [RenderRequest] {
    (0..<count).map { index in
      switch index % 4 {
      case 0: Samples.raster(seed: index, side: 40 + index % 100)
      case 1: Samples.raster(seed: index, recipes: Samples.recipes(side: 32))
      case 2:
        RenderRequest(
          source: .color(Color(red: UInt8(truncatingIfNeeded: index), green: 90, blue: 40)),
          recipes: [Samples.recipe(side: 50, .webp)])
      // No PNG at all: a rejection is a result too.
      default: Samples.png(Data("no picture \(index)".utf8), side: 8)
      }
    }
  }

  /// Renders all requests on two threads; with `killing`, a seed, they kill workers as they go, their
  /// own and the other's, in the middle of a job or between two.
  static func run(
    _ requests: [RenderRequest], on pool: WorkerPool, killing: UInt64? = nil
  ) throws -> (outcomes: [[Result<RenderedImage, Rejection>]], kills: Int) {
    let fire = Fire(threads: 2, seed: killing ?? 0)
    let threads = (0..<2).map { thread in
      Background {
        defer { fire.finished(thread: thread) }
        return stride(from: thread, to: requests.count, by: 2).map { index in
          let result = pool.result(of: requests[index])
          fire.finished(jobOf: thread)
          if killing != nil { fire.killOneNowAndThen(of: pool) }
          return result
        }
      }
    }
    let results = try threads.map { try $0.value() }
    let outcomes = try requests.indices.map { try results[$0 % 2][$0 / 2].get() }
    return (outcomes, fire.kills)
  }
}

/// Kills workers at random, but no job twice, since a job is tried twice.
///
/// A worker is fair game only when every thread has finished a job since it was first seen: then
/// it is past any second try that it was started for.
final class Fire: Sendable {
  private struct State {
    /// Jobs of each thread; `.max` when it has done its last.
    var finished: [Int]
    var seen: [pid_t: [Int]] = [:]
    var killed: Set<pid_t> = []
    var random: SeededRandom
  }

  private let state: Locked<State>

  init(threads: Int, seed: UInt64) {
    state = Locked(
      State(finished: Array(repeating: 0, count: threads), random: SeededRandom(seed: seed)))
  }

  var kills: Int { state.withLock { $0.killed.count } }

  func finished(jobOf thread: Int) { state.withLock { $0.finished[thread] += 1 } }

  func finished(thread: Int) { state.withLock { $0.finished[thread] = .max } }

  func killOneNowAndThen(of pool: WorkerPool) {
    state.withLock { state in
      guard Int.random(in: 0..<8, using: &state.random) == 0 else { return }
      let now = state.finished
      let processes = pool.processIDs.subtracting(state.killed)
      let game = processes.filter { process in
        guard let then = state.seen[process] else { return false }
        return zip(then, now).allSatisfy { $1 == .max || $0 < $1 }
      }
      for process in processes where state.seen[process] == nil { state.seen[process] = now }
      guard let process = game.sorted().randomElement(using: &state.random),
        kill(process, SIGKILL) == 0
      else { return }
      state.killed.insert(process)
    }
  }
}
