import Glibc

/// A requirement of a test, such as a program or a privilege.
///
/// If it is missing, the test is skipped, and `script/test` lists it at the end. With `CI=true`,
/// the test fails instead.
package struct Need: Sendable {
  package struct Missing: Error, CustomStringConvertible {
    package let description: String
  }

  /// The name of the requirement, and how to install it.
  package let name: String
  private let mayMissInCI: Bool
  private let isThere: @Sendable () -> Bool

  package init(_ name: String, mayMissInCI: Bool = false, isThere: @escaping @Sendable () -> Bool) {
    self.name = name
    self.mayMissInCI = mayMissInCI
    self.isThere = isThere
  }

  /// Creates a requirement for a file from a Debian package.
  package init(_ name: String, file: String) {
    self.init(name) { FileManager.default.fileExists(atPath: file) }
  }

  package func isMet() throws -> Bool {
    if isThere() { return true }
    if mayMissInCI || ProcessInfo.processInfo.environment["CI"] != "true" { return false }
    throw Missing(description: "CI must not skip tests: \(name) is missing")
  }

  package static let root = Need("root") { geteuid() == 0 }
  /// Root can access everything, and CI may run as root.
  package static let noRoot = Need("a non-root user", mayMissInCI: true) { geteuid() != 0 }
  package static let chromium = Need("Chromium (script/bootstrap test)", file: BrowserProgram.path)
  package static let nginx = Need("nginx (script/bootstrap test)", file: NginxServer.program)
}

/// The extent of a test run; `script/test --all` also runs the slowest tests.
package enum Extent {
  package static let isAll = ProcessInfo.processInfo.environment["SITEGEN_TEST_ALL"] == "1"

  package static func seeds(_ few: UInt64, all: UInt64) -> ClosedRange<UInt64> {
    1...(isAll ? all : few)
  }
}

extension Trait where Self == ConditionTrait {
  /// Enables tests that take too long for CI only with `script/test --all`.
  package static var onlyInAll: Self { .enabled(if: Extent.isAll, "script/test --all runs it") }

  package static func needs(_ need: Need) -> Self {
    .enabled(if: try need.isMet(), "needs \(need.name)")
  }
}

/// Runs code on this thread without root's right to ignore file permissions.
package func withoutPower<Result>(_ body: () throws -> Result) rethrows -> Result {
  // CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH.
  let before = Capabilities()
  var less = before
  less.effective &= ~0b110
  less.take()
  defer { before.take() }
  return try body()
}

/// A thread's capabilities in the kernel's format.
private struct Capabilities {
  private typealias Call =
    @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Int32
  /// The version of the format, and the thread: 0 is the calling thread.
  private static let header: [UInt32] = [0x2008_0522, 0]

  /// The effective, permitted and inheritable sets: low words, then high words.
  private var words = [UInt32](repeating: 0, count: 6)

  var effective: UInt32 {
    get { words[0] }
    set { words[0] = newValue }
  }

  init() { call("capget", &words) }

  func take() {
    var words = words
    call("capset", &words)
  }

  /// Calls a C function that Swift's Glibc does not export.
  private func call(_ name: String, _ words: inout [UInt32]) {
    var header = Self.header
    guard let address = unsafe dlsym(nil, name) else { preconditionFailure("no \(name)") }
    // The signature matches the C library's, and the buffers have the size for version 3.
    let function = unsafe unsafeBitCast(address, to: Call.self)
    let status = unsafe function(&header, &words)
    precondition(status == 0, "\(name): error \(errno)")
  }
}
