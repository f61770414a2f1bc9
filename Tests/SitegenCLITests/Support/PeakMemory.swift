import Dispatch
import Files
import TestSupport

/// Samples the peak memory of a process and its children.
final class PeakMemory: Sendable {
  private let peak = Locked(0)
  private let isStopped = DispatchSemaphore(value: 0)
  private let isDone = DispatchSemaphore(value: 0)

  init(of process: pid_t) {
    Thread.detachNewThread { [self] in
      repeat {
        let bytes = Self.family(process).reduce(0) { $0 + Self.bytes($1) }
        peak.withLock { $0 = max($0, bytes) }
      } while isStopped.wait(timeout: .now() + .milliseconds(5)) == .timedOut
      isDone.signal()
    }
  }

  /// Stops the sampling, and returns the peak in megabytes; may be called only once.
  func stop() -> Int {
    isStopped.signal()
    isDone.wait()
    return peak.withLock { $0 } / 1_000_000
  }

  private static func family(_ process: pid_t) -> [pid_t] {
    let tasks =
      (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
    let children = tasks.flatMap { text("\(process)/task/\($0)/children").split(separator: " ") }
    return [process] + children.compactMap { pid_t($0) }.flatMap { family($0) }
  }

  /// Returns the proportional set size if it is readable, and otherwise the resident size.
  private static func bytes(_ process: pid_t) -> Int {
    let shared = text("\(process)/smaps_rollup").firstMatch(of: /\nPss: +(\d+) kB/)?.1
    let whole = { text("\(process)/status").firstMatch(of: /\nVmRSS:\s+(\d+) kB/)?.1 }
    return (shared ?? whole()).flatMap { Int($0) }.map { $0 << 10 } ?? 0
  }

  private static func text(_ name: String) -> String {
    FileManager.default.contents(atPath: "/proc/" + name).map {
      String(decoding: $0, as: UTF8.self)
    }
      ?? ""
  }
}
