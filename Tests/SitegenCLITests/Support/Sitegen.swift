import TestSupport

/// One finished run of the real program.
struct Sitegen {
  let status: Int32
  /// Nil unless a signal ended it.
  let signal: Int32?
  let out: String
  let err: String

  init(
    _ words: [String], in folder: String? = nil, closedOutput: Bool = false
  ) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: BuiltProduct.sitegen)
    process.arguments = words
    if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
    let (out, err) = (Pipe(), Pipe())
    process.standardOutput = out
    process.standardError = err
    process.standardInput = FileHandle.nullDevice
    if closedOutput { try out.fileHandleForReading.close() }
    try process.run()
    // Both pipes are small enough together here to be read one after the other: errors first,
    // since they are the ones that may be many.
    let errors = try err.fileHandleForReading.readToEnd() ?? Data()
    let words = closedOutput ? Data() : try out.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    status = process.terminationStatus
    signal = process.terminationReason == .uncaughtSignal ? process.terminationStatus : nil
    self.out = String(decoding: words, as: UTF8.self)
    self.err = String(decoding: errors, as: UTF8.self)
  }

  init(_ words: [String], in folder: TemporaryFolder) throws {
    try self.init(words, in: folder.path)
  }
}
