package import Build
package import Diagnostics
import Dispatch
import Files
import Glibc

/// A handler for termination signals: the first cancels the job, and the second ends the process.
package enum Interruption {
  /// Runs `body`; the first signal triggers the cancellation and then calls `stop`.
  package static func watched<Result>(
    _ console: Console, _ cancellation: Cancellation = Cancellation(),
    stop: @escaping @Sendable () -> Void = {},
    _ body: (Cancellation) throws(Diagnostic) -> Result
  ) throws(Diagnostic) -> Result {
    // SIGHUP must stay ignored under `nohup`.
    let numbers = (ChildProcess.isIgnored(SIGHUP) ? [] : [SIGHUP]) + [SIGINT, SIGQUIT, SIGTERM]
    let sources = numbers.map { number in
      // The default action would end the process before the dispatch source sees the signal.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { @Sendable in
        if cancellation.isCancelled { _exit(128 + number) }
        cancellation.cancel(signal: number)
        stop()
        // Use a different queue: a full `err` pipe may block the write, but the second signal
        // must still work.
        DispatchQueue.global().async {
          console.err("\nsitegen: stopping; send the signal again to exit immediately\n")
        }
      }
      source.resume()
      return source
    }
    defer {
      for source in sources { source.cancel() }
      for number in numbers { signal(number, SIG_DFL) }
    }
    return try body(cancellation)
  }
}
