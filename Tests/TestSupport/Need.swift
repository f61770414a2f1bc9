import Glibc

/// Something that tests need of the machine.
///
/// Where it is missing they are left out, and the last lines of `script/test` name them. With
/// `CI=true` they fail instead.
package struct Need: Sendable {
  package struct Missing: Error, CustomStringConvertible {
    package let description: String
  }

  /// What it is, and where it comes from.
  package let name: String
  private let mayMissInCI: Bool
  private let isThere: @Sendable () -> Bool

  package init(
    _ name: String, mayMissInCI: Bool = false, isThere: @escaping @Sendable () -> Bool
  ) {
    self.name = name
    self.mayMissInCI = mayMissInCI
    self.isThere = isThere
  }

  /// A file that a Debian package brings.
  package init(_ name: String, file: String) {
    self.init(name) { FileManager.default.fileExists(atPath: file) }
  }

  /// Whether it is there.
  ///
  /// - Throws: `Missing` where nothing may be left out.
  package func isMet() throws -> Bool {
    if isThere() { return true }
    if mayMissInCI || ProcessInfo.processInfo.environment["CI"] != "true" { return false }
    throw Missing(description: "CI leaves out no test: \(name) is missing")
  }

  package static let root = Need("root") { geteuid() == 0 }
  /// Nothing can be kept from root, and CI may run as root.
  package static let noRoot = Need("a user who is not root", mayMissInCI: true) { geteuid() != 0 }
  package static let chromium = Need("Chromium (script/bootstrap test)", file: BrowserProgram.path)
  package static let nginx = Need("nginx (script/bootstrap test)", file: NginxServer.program)
}

/// How much is tried: `script/test --all` tries everything, CI and other runs a part.
package enum Extent {
  package static let isAll = ProcessInfo.processInfo.environment["SITEGEN_TEST_ALL"] == "1"

  /// The seeds of a test that tries random values.
  package static func seeds(_ few: UInt64, all: UInt64) -> ClosedRange<UInt64> {
    1...(isAll ? all : few)
  }
}

extension Trait where Self == ConditionTrait {
  /// For what takes longer than CI allows.
  package static var onlyInAll: Self { .enabled(if: Extent.isAll, "script/test --all runs it") }

  package static func needs(_ need: Need) -> Self {
    .enabled(if: try need.isMet(), "needs \(need.name)")
  }
}

/// Runs with the rights that the modes of files give, also as root.
///
/// Of this thread only; another one that the body uses keeps its power.
package func withoutPower<Result>(_ body: () throws -> Result) rethrows -> Result {
  // CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH.
  let before = Capabilities()
  var less = before
  less.effective &= ~0b110
  less.take()
  defer { before.take() }
  return try body()
}

/// What a thread may do, as the kernel reads it.
private struct Capabilities {
  private typealias Call =
    @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Int32
  /// The version, and the thread: 0 is the one that asks.
  private static let header: [UInt32] = [0x2008_0522, 0]

  /// Those that count now, those that may, those that are handed on; then as much for more.
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

  /// Swift's Glibc does not show them.
  private func call(_ name: String, _ words: inout [UInt32]) {
    var header = Self.header
    guard let address = unsafe dlsym(nil, name) else { preconditionFailure("no \(name)") }
    // The C library declares both so; header and words are as long as version 3 says.
    let function = unsafe unsafeBitCast(address, to: Call.self)
    let status = unsafe function(&header, &words)
    precondition(status == 0, "\(name): error \(errno)")
  }
}
