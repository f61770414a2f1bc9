import Glibc
import TestSupport

/// The real program while it runs; whatever happens, it is gone when this is.
final class RunningProgram {
  /// How a run ended, and what it said.
  struct Ending {
    /// Nil when a signal ended it.
    let status: Int32?
    let signal: Int32?
    let out: String
    let err: String
  }

  /// It did not end in time.
  struct Late: Error {
    let words: [String]
    let err: String
  }

  let processID: Int32
  private let process = Process()
  private let words: [String]
  let streams = TemporaryFolder(inMemory: true)
  private let ended = DispatchSemaphore(value: 0)

  /// What a child gets when nothing else is said: no gates and faults of our own caller.
  static var usualEnvironment: [String: String] {
    ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("SITEGEN_") }
  }

  /// Starts it, with nothing to read.
  ///
  /// - Parameters:
  ///   - words: Without the program's name.
  ///   - folder: Its working directory.
  ///   - environment: All of it.
  ///   - wrapper: A program and its words, which is given ours to start.
  ///   - mouth: Takes both output streams; they are not collected then.
  /// - Throws: When it cannot be started.
  init(
    _ words: [String], in folder: String,
    environment: [String: String] = RunningProgram.usualEnvironment, through wrapper: [String] = [],
    into mouth: FileHandle? = nil
  ) throws {
    let line = wrapper + [BuiltProduct.sitegen] + words
    self.words = line
    process.executableURL = URL(fileURLWithPath: line[0])
    process.arguments = Array(line.dropFirst())
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    // Files, not pipes: nobody has to read them while the program runs.
    for name in ["out", "err"] { try streams.write("", to: name) }
    let own =
      try mouth == nil
      ? ["out", "err"].map { [streams] in try Self.handle(streams.path(of: $0)) } : []
    process.standardOutput = mouth ?? own[0]
    process.standardError = mouth ?? own[1]
    process.terminationHandler = { [ended] _ in ended.signal() }
    // A `Process` keeps its handles for good. From about 1,350 open ones on, the next `run` may read
    // beyond its buffer and crash (swift-corelibs-foundation, pull request 5472).
    defer { for handle in own { try? handle.close() } }
    try process.run()
    processID = process.processIdentifier
  }

  deinit {
    if process.isRunning { kill(SIGKILL) }
  }

  var isRunning: Bool { process.isRunning }

  /// What it has written to its output until now.
  var said: String { (try? streams.text(of: "out")) ?? "" }

  /// What it has complained of until now.
  var complained: String { (try? streams.text(of: "err")) ?? "" }

  func send(_ signal: Int32) {
    _ = Glibc.kill(processID, signal)
  }

  /// Waits for its end; it may take this long on a machine that is busy with other things too.
  func ending(within seconds: Double = 60) throws -> Ending {
    guard ended.wait(timeout: .now() + seconds) == .success else {
      kill(SIGKILL)
      throw Late(words: words, err: try streams.text(of: "err"))
    }
    ended.signal()
    let isSignal = process.terminationReason == .uncaughtSignal
    return Ending(
      status: isSignal ? nil : process.terminationStatus,
      signal: isSignal ? process.terminationStatus : nil, out: try streams.text(of: "out"),
      err: try streams.text(of: "err"))
  }

  /// Ends it and what it was started through, which are one process group.
  private func kill(_ signal: Int32) {
    _ = Glibc.kill(-processID, signal)
    _ = Glibc.kill(processID, signal)
  }

  private static func handle(_ path: String) throws -> FileHandle {
    try FileHandle(forWritingTo: URL(fileURLWithPath: path))
  }
}

extension ProgramGate {
  /// All that the program gets.
  var environment: [String: String] {
    RunningProgram.usualEnvironment.merging(variables) { $1 }
  }
}
