import Dispatch

/// Wall time by stage; it goes to the report and never into `output`.
struct StageClock {
  private let progress: @Sendable (ProgressEvent) -> Void
  private let trace: Trace?
  private var finished: [String: Double] = [:]
  private var current: (name: String, since: DispatchTime)?

  init(_ progress: @escaping @Sendable (ProgressEvent) -> Void, _ trace: Trace? = nil) {
    self.progress = progress
    self.trace = trace
  }

  mutating func start(_ name: String) {
    finished = seconds
    current = (name, .now())
    trace?.startStage(name)
    progress(.stage(name))
  }

  /// Up to now, the running stage included.
  var seconds: [String: Double] {
    guard let current else { return finished }
    let passed = Double(DispatchTime.now().uptimeNanoseconds - current.since.uptimeNanoseconds)
    return finished.merging([current.name: passed / 1e9]) { $0 + $1 }
  }
}
