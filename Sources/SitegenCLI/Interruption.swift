package import Build
package import Diagnostics
import Dispatch
import Glibc

/// Signals that ask for an end while a job runs: the first stops it, the second ends the process.
package enum Interruption {
  /// Runs the body with a cancellation that the signals trigger, before they call `stop`.
  package static func watched<Result>(
    _ console: Console, _ cancellation: Cancellation = Cancellation(),
    stop: @escaping @Sendable () -> Void = {},
    _ body: (Cancellation) throws(Diagnostic) -> Result
  ) throws(Diagnostic) -> Result {
    let sources = [SIGHUP, SIGINT, SIGQUIT, SIGTERM].compactMap { number in
      // With the default handler the signal would end the process before the source sees it.
      let former = unsafe unsafeBitCast(signal(number, SIG_IGN), to: Int.self)
      // `nohup` wants that it stays ignored.
      if unsafe number == SIGHUP && former == unsafeBitCast(SIG_IGN, to: Int.self) {
        return nil as (number: Int32, source: any DispatchSourceSignal)?
      }
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
      return (number, source)
    }
    defer {
      for (number, source) in sources {
        source.cancel()
        signal(number, SIG_DFL)
      }
    }
    return try body(cancellation)
  }
}
