import Files
import SitegenCLI
import Testing

struct ProgressMeterTests {
  final class Clock: Sendable {
    private let seconds = Locked(0.0)
    func move(_ by: Double) { seconds.withLock { $0 += by } }
    func now() -> Double { seconds.withLock { $0 } }
  }

  private let transcript = Transcript()
  private let clock = Clock()

  private func meter(
    isTerminal: Bool = true, isQuiet: Bool = false, columns: Int? = 80,
    environment: [String: String] = ["TERM": "xterm"]
  ) -> ProgressMeter {
    ProgressMeter(
      transcript.console(isTerminal: isTerminal, columns: columns, environment: environment),
      isQuiet: isQuiet, now: clock.now)
  }

  /// Simulates ten seconds with a thousand events each.
  private func run(_ meter: ProgressMeter) {
    for event in 1...10_000 {
      clock.move(0.001)
      meter.update("render", done: event, of: 10_000)
    }
    meter.finish()
  }

  /// F18: on a terminal, the bar is drawn at most once a second and shows the rate.
  @Test func `the progress bar is redrawn once a second and cleared at the end`() {
    run(meter())
    // The bar is redrawn ten times and cleared once.
    #expect((9...11).contains(transcript.errWrites))
    #expect(transcript.err.hasSuffix("\r\u{1B}[2K"))
    #expect(!transcript.err.contains("\n"))
    #expect(transcript.err.contains(" 5"))
    #expect(transcript.err.contains("1000/s, "))
    #expect(transcript.out.isEmpty)
  }

  @Test func `count, rate and remaining time are correct`() {
    let meter = meter()
    meter.update("render", done: 0, of: 400)
    clock.move(10)
    meter.update("render", done: 100, of: 400)
    #expect(transcript.err == "\r\u{1B}[2Krender [#####---------------] 100/400, 10/s, 30 s left")
  }

  @Test func `cached items do not affect the rate`() {
    let meter = meter()
    meter.update("render", done: 300, of: 400)
    clock.move(10)
    meter.update("render", done: 350, of: 400)
    #expect(transcript.err.hasSuffix("350/400, 5.0/s, 10 s left"))
  }

  @Test func `progress is not printed to a pipe`() {
    run(meter(isTerminal: false))
    #expect(transcript.err.isEmpty && transcript.out.isEmpty)
  }

  /// F18: a dumb terminal cannot redraw a line.
  @Test func `progress is not printed to a dumb terminal`() {
    run(meter(environment: ["TERM": "dumb"]))
    #expect(transcript.err.isEmpty && transcript.out.isEmpty)
  }

  @Test func `quiet mode shows no progress`() {
    run(meter(isQuiet: true))
    #expect(transcript.err.isEmpty)
  }

  @Test func `a short job shows no progress`() {
    let meter = meter()
    meter.update("render", done: 1, of: 2)
    clock.move(0.1)
    meter.update("render", done: 2, of: 2)
    meter.finish()
    #expect(transcript.err.isEmpty)
  }

  @Test func `the progress line fits the width of the terminal`() {
    let meter = meter(columns: 20)
    clock.move(1)
    meter.update(String(repeating: "x", count: 200), done: 1, of: 2)
    #expect(transcript.err == "\r\u{1B}[2K" + String(repeating: "x", count: 19))
  }

  @Test func `a total of zero does not cause a division by zero`() {
    let meter = meter()
    clock.move(1)
    meter.update("render", done: 0, of: 0)
    #expect(transcript.err == "\r\u{1B}[2Krender")
  }
}
