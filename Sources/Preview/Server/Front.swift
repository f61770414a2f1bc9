import Files
import Foundation

/// What all listening sockets of a server share.
final class Front: Sendable {
  let settings: PreviewSettings
  let desk: Desk
  let visitors: Visitors
  /// Where those wait whose files are not in the folder.
  ///
  /// Eight are enough that slow files do not hold up quick ones.
  let waiting = Errands(limit: 8)
  /// Where large texts are made.
  ///
  /// Two, since each takes some times its size of memory, and a core.
  let working = Errands(limit: 2)
  private let isOver = DispatchSemaphore(value: 0)
  private let hasStopped = DispatchSemaphore(value: 0)

  init(_ settings: PreviewSettings, _ desk: Desk) {
    let settings = settings.fitting(descriptors: DescriptorLimit.raise())
    self.settings = settings
    self.desk = desk
    visitors = Visitors(settings)
    watch()
  }

  /// Looks after the visitors from time to time, on a thread that nobody else can hold up.
  private func watch() {
    let step = min(.seconds(1), settings.headTime / 4, settings.idleTime / 4, settings.beat / 4)
    let seconds = Double(step.components.seconds) + Double(step.components.attoseconds) * 1e-18
    let thread = Thread { [visitors, isOver, hasStopped] in
      while isOver.wait(timeout: .now() + max(seconds, 0.01)) == .timedOut {
        visitors.look(at: .now)
      }
      hasStopped.signal()
    }
    thread.name = "visitors"
    thread.start()
  }

  /// Sends everybody home, once.
  ///
  /// Who is just asked to stand in for a file is not waited for.
  func close() {
    visitors.dismiss()
    waiting.close()
    working.close()
    isOver.signal()
    hasStopped.wait()
  }
}
