import Foundation

/// What all listening sockets of a server share.
final class Front: Sendable {
  let settings: PreviewSettings
  let desk: Desk
  let visitors: Visitors
  /// Where those wait whose files are not in the folder.
  let waiting = OperationQueue()
  private let clock = DispatchQueue(label: "sitegen.preview.clock")

  init(_ settings: PreviewSettings, _ desk: Desk) {
    self.settings = settings
    self.desk = desk
    visitors = Visitors(settings)
    // Enough that slow files do not hold up quick ones; each of them waits, or works for a core.
    waiting.maxConcurrentOperationCount = 8
    waiting.name = "sitegen.preview.waiting"
  }

  /// Looks after the visitors from time to time, until they are dismissed.
  func watch() {
    let step = min(.seconds(1), settings.headTime / 4, settings.idleTime / 4, settings.beat / 4)
    let seconds = Double(step.components.seconds) + Double(step.components.attoseconds) * 1e-18
    clock.asyncAfter(deadline: .now() + max(seconds, 0.01)) { [weak self] in
      guard let self, !visitors.areDismissed else { return }
      visitors.look(at: .now)
      watch()
    }
  }

  /// Sends everybody home.
  ///
  /// Who is just asked to stand in for a file is not waited for.
  func close() {
    visitors.dismiss()
    waiting.cancelAllOperations()
    clock.sync {}
  }
}
