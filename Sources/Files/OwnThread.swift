import CLinux
import Glibc

/// A thread that waits for something, beside those of Dispatch.
///
/// Foundation's `Thread` silently never runs if the system grants no more threads, and those that
/// wait for it would hang.
package enum OwnThread {
  /// Starts a thread; a debugger shows the name.
  ///
  /// A shortage is often over soon, so it is retried for two seconds.
  package static func start(
    _ name: String, _ body: @escaping @Sendable () -> Void
  ) throws(FileError) {
    let work = unsafe Unmanaged.passRetained(Work(name, body))
    for attempt in 1... {
      var thread = pthread_t()
      let code = unsafe pthread_create(
        &thread, nil,
        { work in
          if let work = unsafe work {
            unsafe Unmanaged<Work>.fromOpaque(work).takeRetainedValue().run()
          }
          return nil
        }, unsafe work.toOpaque())
      if code == 0 {
        pthread_detach(thread)
        return
      }
      if code != EAGAIN || attempt == 20 {
        unsafe work.release()
        throw FileError("start", path: "a thread", code: code)
      }
      _ = poll(nil, 0, 100)
    }
  }

  private final class Work {
    private let name: String
    private let body: @Sendable () -> Void

    init(_ name: String, _ body: @escaping @Sendable () -> Void) {
      (self.name, self.body) = (name, body)
    }

    func run() {
      unsafe linux_name_thread(name)
      body()
    }
  }
}
