import Foundation

/// A reader of what strangers write, for libFuzzer: `script/fuzz` makes the program.
///
/// A find is a trap, an error of memory, or a property that does not hold.
struct FuzzTarget: Sendable {
  /// Takes any bytes.
  let run: @Sendable ([UInt8]) -> Void
  /// Good examples to begin with, beside the files of the repository that `script/fuzz` knows.
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

  /// The one that the environment names.
  static let chosen = all[ProcessInfo.processInfo.environment["SITEGEN_FUZZ"] ?? ""]
}

/// Something that must hold for all bytes.
func demand(_ holds: Bool, _ words: @autoclosure () -> String) {
  if !holds { fatalError(words()) }
}

/// The name that libFuzzer's own `main` would call; ours gives it to the driver.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  FuzzTarget.chosen?.run(unsafe Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}

/// The way into libFuzzer for a program that has its own `main`; no header declares it for Swift.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// Does what the arguments tell libFuzzer.
func runFuzzer() -> CInt {
  var count = CommandLine.argc
  var arguments = unsafe CommandLine.unsafeArgv
  return unsafe runDriver(&count, &arguments, testOneInput)
}
