package import Diagnostics
import Dispatch
import Glibc
package import Sitegen

/// SIGINT and SIGTERM while a job runs: the first one asks it to stop, the second one ends us.
package enum Interruption {
  /// Runs the body with a cancellation that the signals trigger.
  package static func watched<Result>(
    _ console: Console, with stop: StopSwitch = StopSwitch(),
    _ body: (Cancellation) throws(Diagnostic) -> Result
  ) throws(Diagnostic) -> Result {
    let cancellation = Cancellation()
    let sources = [SIGINT, SIGTERM].map { number in
      // The source only hears of what does not end the process first.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { @Sendable in
        if cancellation.isCancelled { _exit(128 + number) }
        cancellation.cancel(signal: number)
        stop.trigger()
        // Elsewhere: when nobody reads what we say, the second signal must still be heard.
        DispatchQueue.global().async {
          console.err("\nsitegen: stopping; once more ends it at once\n")
        }
      }
      source.resume()
      return source
    }
    defer {
      for source in sources { source.cancel() }
      for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
    }
    return try body(cancellation)
  }
}
