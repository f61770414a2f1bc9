import Dispatch

/// Wall time by stage; it goes to the report and never into `output`.
struct StageClock {
  private let progress: @Sendable (ProgressEvent) -> Void
  private var finished: [String: Double] = [:]
  private var current: (name: String, since: DispatchTime)?

  init(_ progress: @escaping @Sendable (ProgressEvent) -> Void) {
    self.progress = progress
  }

  mutating func start(_ name: String) {
    finished = seconds
    current = (name, .now())
    progress(.stage(name))
  }

  /// Up to now, the running stage included.
  var seconds: [String: Double] {
    guard let current else { return finished }
    let passed = Double(DispatchTime.now().uptimeNanoseconds - current.since.uptimeNanoseconds)
    return finished.merging([current.name: passed / 1e9]) { $0 + $1 }
  }
}
