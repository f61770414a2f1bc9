package import Build
package import Diagnostics
import Dispatch
import Glibc

/// SIGINT and SIGTERM while a job runs: the first asks it to stop, the second ends the process.
package enum Interruption {
  /// Runs the body with a cancellation that the signals trigger, before they call `stop`.
  package static func watched<Result>(
    _ console: Console, _ cancellation: Cancellation = Cancellation(),
    stop: @escaping @Sendable () -> Void = {},
    _ body: (Cancellation) throws(Diagnostic) -> Result
  ) throws(Diagnostic) -> Result {
    let sources = [SIGINT, SIGTERM].map { number in
      // With the default handler the signal would end the process before the source sees it.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { @Sendable in
        if cancellation.isCancelled { _exit(128 + number) }
        cancellation.cancel(signal: number)
        stop()
        // On another queue: if nobody reads `err`, the write blocks, and the second signal must
        // still work.
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
