import Files
import Glibc
import Recipes
import TestSupport
import Workers

struct RandomKillTests {
  /// I18: `kill -9` of random workers during a run does not change any output.
  @Test func `killing random workers does not change the output`() throws {
    let bench = Bench()
    let requests = Mix.requests(count: Extent.isAll ? 200 : 80)
    let peace = bench.pool(width: 2)
    let expected = try Mix.run(requests, on: peace).outcomes
    let pool = bench.pool(width: 2)
    let seed = UInt64.random(in: 0 ... .max)
    // A worker killed after the last job is not replaced, so a round may start no new worker.
    for round in 0..<20 where pool.workersStarted <= 2 {
      let outcomes = try Mix.run(requests, on: pool, killing: seed &+ UInt64(round)).outcomes
      #expect(outcomes == expected, "seed \(seed), round \(round)")
    }
    #expect(pool.workersStarted > 2, "seed \(seed)")
  }

  /// I18: many jobs and killed workers leave no zombie process and no open descriptor.
  @Test func `killing random workers leaks no processes or descriptors`() async {
    await #expect(processExitsWith: .success) {
      // Runs in a child process, since parallel tests open descriptors and start processes.
      let bench = Bench()
      let requests = Mix.requests(count: Extent.isAll ? 1_000 : 400)
      let seed = UInt64.random(in: 0 ... .max)
      print("workers are killed by seed \(seed)")
      // The first jobs open files that stay open.
      do {
        let pool = bench.pool(width: 2)
        _ = try Mix.run(Array(requests.prefix(10)), on: pool, killing: seed)
        pool.stop()
      }
      let before = Self.openDescriptors()
      do {
        let pool = bench.pool(width: 2)
        var kills = 0
        // On a busy machine, the jobs may end before many workers are killed.
        for round in 0..<20 where kills <= requests.count / 50 {
          kills += try Mix.run(requests, on: pool, killing: seed &+ UInt64(round)).kills
        }
        guard kills > requests.count / 50 else { exit(2) }
        pool.stop()
      }
      guard waitpid(-1, nil, WNOHANG) == -1, errno == ECHILD else { exit(3) }
      guard Self.openDescriptors() == before else { exit(4) }
    }
  }

  private static func openDescriptors() -> Int {
    ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []).count
  }
}

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
      // The PNG is invalid, so that rejections are compared, too.
      default: Samples.png(Data("no picture \(index)".utf8), side: 8)
      }
    }
  }

  /// Renders all requests on two threads, which kill random workers if `killing` is a seed.
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

/// Kills workers at random, but no job twice, since a job is retried only once.
///
/// A worker is killed only after every thread has finished a job since the worker was first seen,
/// because from then on, the worker is not running a retry.
final class Fire: Sendable {
  private struct State {
    /// The number of jobs finished by each thread; `.max` after the thread's last job.
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
