import Diagnostics
import Files

/// The progress of a long job, shown on one terminal line that is redrawn once a second.
package final class ProgressMeter: Sendable {
  private struct State {
    var stage = ""
    /// `first` is the number of items that were done at `start`, when the stage began.
    var start = 0.0
    var first = 0
    var lastDrawn = 0.0
    var isDrawn = false
  }

  private let console: Console
  private let isShown: Bool
  private let now: @Sendable () -> Double
  private let state: Locked<State>

  package init(
    _ console: Console, isQuiet: Bool = false,
    now: @escaping @Sendable () -> Double = ProgressMeter.clock
  ) {
    self.console = console
    self.now = now
    isShown = !isQuiet && console.canRedraw
    // Delay the first line too, so that short jobs print nothing.
    state = Locked(State(start: now(), lastDrawn: now()))
  }

  package static let clock: @Sendable () -> Double = {
    (ContinuousClock.now - start) / .seconds(1)
  }

  private static let start = ContinuousClock.now

  package func update(_ stage: String, done: Int = 0, of total: Int? = nil) {
    guard isShown else { return }
    let time = now()
    state.withLock { state in
      if state.stage != stage {
        (state.stage, state.start, state.first) = (stage, time, done)
      }
      guard time - state.lastDrawn >= 1 else { return }
      state.lastDrawn = time
      let width = max((console.columns() ?? 80) - 1, 10)
      console.err("\r\u{1B}[2K" + line(state, time, done, total).prefix(width))
      state.isDrawn = true
    }
  }

  /// Clears the line, so that the next output starts in the first column.
  package func finish() {
    state.withLock { state in
      if state.isDrawn { console.err("\r\u{1B}[2K") }
      state.isDrawn = false
    }
  }

  private func line(_ state: State, _ time: Double, _ done: Int, _ total: Int?) -> String {
    var text = state.stage.printable
    guard let total, total > 0 else { return done > 0 ? "\(text) \(done)" : text }
    let filled = min(done * 20 / total, 20)
    text +=
      " [" + String(repeating: "#", count: filled)
      + String(repeating: "-", count: 20 - filled) + "] \(done)/\(total)"
    let passed = time - state.start
    let rate = Double(done - state.first) / max(passed, 0.001)
    // The rate is unreliable during the first second.
    guard passed >= 1, rate > 0 else { return text }
    let left = Double(total - done) / rate
    return text + ", \(Self.short(rate))/s, \(Self.span(left)) left"
  }

  private static func short(_ rate: Double) -> String {
    rate >= 10 ? "\(Int(rate.rounded()))" : "\(Int(rate * 10) / 10).\(Int(rate * 10) % 10)"
  }

  private static func span(_ seconds: Double) -> String {
    let whole = Int(min(seconds.rounded(.up), 1e9))
    if whole < 90 { return "\(whole) s" }
    if whole < 5400 { return "\((whole + 30) / 60) min" }
    return "\((whole + 1800) / 3600) h"
  }
}
