import Foundation

/// A parser of untrusted input, as a libFuzzer target; `script/fuzz` builds the program.
///
/// A finding is a trap, a memory error, or a violated property.
struct FuzzTarget: Sendable {
  /// Runs the parser on any bytes.
  let run: @Sendable ([UInt8]) -> Void
  /// Valid examples to start from, in addition to the repository files listed in `script/fuzz`.
  var seeds: @Sendable () -> [[UInt8]] = { [] }

  static let all: [String: FuzzTarget] = [
    "headers": headers, "icc": profiles, "pictures": pictures,
    "json": json, "toml": toml, "yaml": yaml, "csv": csv, "json-lines": jsonLines,
    "markdown": markdown,
    "vcard": vCard, "xlsx": xlsx, "manifest": manifest,
    "mustache": mustache, "addresses": addresses, "http": http, "requests": requests,
    "worker-answers": workerAnswers, "worker-requests": workerRequests, "fetcher": fetcher,
    "assets": assets, "ledger": ledger, "records": records, "shared": shared,
  ]

  /// The target named in the environment.
  static let chosen = all[ProcessInfo.processInfo.environment["SITEGEN_FUZZ"] ?? ""]
}

/// Checks a property that must hold for any input.
func demand(_ holds: Bool, _ words: @autoclosure () -> String) { if !holds { fatalError(words()) } }

/// The function that libFuzzer's own `main` would call; ours passes it to the driver.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  FuzzTarget.chosen?.run(unsafe Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}

/// libFuzzer's entry point for programs with their own `main`; no header declares it for Swift.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

func runFuzzer() -> CInt {
  var count = CommandLine.argc
  var arguments = unsafe CommandLine.unsafeArgv
  return unsafe runDriver(&count, &arguments, testOneInput)
}
