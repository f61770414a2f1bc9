package import Build
package import Diagnostics
import Dispatch
import Files
import Glibc

/// Signals that ask for an end while a job runs: the first stops it, the second ends the process.
package enum Interruption {
  /// Runs the body with a cancellation that the signals trigger, before they call `stop`.
  package static func watched<Result>(
    _ console: Console, _ cancellation: Cancellation = Cancellation(),
    stop: @escaping @Sendable () -> Void = {},
    _ body: (Cancellation) throws(Diagnostic) -> Result
  ) throws(Diagnostic) -> Result {
    // `nohup` wants that a hangup stays ignored.
    let numbers = (ChildProcess.isIgnored(SIGHUP) ? [] : [SIGHUP]) + [SIGINT, SIGQUIT, SIGTERM]
    let sources = numbers.map { number in
      // With the default handler the signal would end the process before the source sees it.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { @Sendable in
        if cancellation.isCancelled { _exit(128 + number) }
        cancellation.cancel(signal: number)
        stop()
        // On another queue: if `err` is a full pipe, the write blocks, and the second signal must
        // still work.
        DispatchQueue.global().async {
          console.err("\nsitegen: stopping; send the signal again to end at once\n")
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
