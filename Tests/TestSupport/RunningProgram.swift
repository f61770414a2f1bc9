import Glibc

/// A running program, which is killed when this object is released.
package final class RunningProgram {
  package struct Ending: Sendable {
    /// The exit status, or nil if a signal ended the program.
    package let status: Int32?
    package let signal: Int32?
    package let out: String
    package let err: String
  }

  package struct Late: Error {
    let words: [String]
    let err: String
  }

  package let processID: Int32
  private let process = Process()
  private let words: [String]
  private let streams = TemporaryFolder(inMemory: true)
  private let ended = DispatchSemaphore(value: 0)

  /// The tests' environment without gates and faults.
  package static var usualEnvironment: [String: String] {
    ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("SITEGEN_") }
  }

  /// Starts a program by path or name, without input.
  ///
  /// If `output` is set, it receives both output streams, and they are not collected.
  package init(
    _ words: [String], in folder: String = Checkout.root.path,
    environment: [String: String] = RunningProgram.usualEnvironment,
    into output: FileHandle? = nil
  ) throws {
    self.words = words
    let line = words[0].hasPrefix("/") ? words : ["/usr/bin/env"] + words
    process.executableURL = URL(fileURLWithPath: line[0])
    process.arguments = Array(line.dropFirst())
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    // The output goes to files, because a pipe would have to be read while the program runs.
    let files: [FileHandle] = try ["out", "err"].map { [streams] name in
      try streams.write("", to: name)
      return try FileHandle(forWritingTo: URL(fileURLWithPath: streams.path(of: name)))
    }
    process.standardOutput = output ?? files[0]
    process.standardError = output ?? files[1]
    process.terminationHandler = { [ended] _ in ended.signal() }
    // `Process` never closes its handles. With about 1,350 open handles, the next `run` may read
    // beyond its buffer and crash (swift-corelibs-foundation, pull request 5472).
    defer { for file in files { try? file.close() } }
    try process.run()
    processID = process.processIdentifier
  }

  /// Starts sitegen, optionally through a wrapper program with arguments.
  package convenience init(
    sitegen words: [String], in folder: String = Checkout.root.path,
    environment: [String: String] = RunningProgram.usualEnvironment, through wrapper: [String] = [],
    into output: FileHandle? = nil
  ) throws {
    try self.init(
      wrapper + [BuiltProduct.sitegen] + words, in: folder, environment: environment, into: output)
  }

  deinit {
    if process.isRunning { kill(SIGKILL) }
  }

  package var isRunning: Bool { process.isRunning }

  package var said: String { (try? streams.text(of: "out")) ?? "" }

  package var complained: String { (try? streams.text(of: "err")) ?? "" }

  package func send(_ signal: Int32) { _ = Glibc.kill(processID, signal) }

  /// Waits until the program exits; the timeout allows for a busy machine.
  package func ending(within seconds: Double = 60) throws -> Ending {
    guard ended.wait(timeout: .now() + seconds) == .success else {
      kill(SIGKILL)
      throw Late(words: words, err: complained)
    }
    ended.signal()
    let isSignal = process.terminationReason == .uncaughtSignal
    return Ending(
      status: isSignal ? nil : process.terminationStatus,
      signal: isSignal ? process.terminationStatus : nil, out: said, err: complained)
  }

  /// Signals the process and its group, which includes any wrapper.
  private func kill(_ signal: Int32) {
    _ = Glibc.kill(-processID, signal)
    _ = Glibc.kill(processID, signal)
  }
}

extension ProgramGate {
  package var environment: [String: String] {
    RunningProgram.usualEnvironment.merging(variables) { $1 }
  }
}
