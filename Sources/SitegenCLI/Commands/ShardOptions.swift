import Build
import Diagnostics
import Foundation
import Store

extension Option {
  static let shard = Option(
    "shard", .text("I/N"), in: .cache,
    "render only shard I of N into the store, without publishing; auto/N gets I from the scheduler")
}

extension Shard {
  /// Parses `3/200`, or `auto/200` to use the number in a scheduler's environment variable.
  init(_ text: String, _ environment: [String: String], _ command: String) throws(Diagnostic) {
    let words = text.split(separator: "/", omittingEmptySubsequences: false)
    guard words.count == 2, let count = Int(words[1]), (1...100_000).contains(count) else {
      throw .usage(
        .badValue, "invalid value for --shard: \(text.quoted) is not of the form I/N", command,
        help: "write --shard 3/200, or --shard auto/200 in a scheduler job")
    }
    var (number, source) = (Int(words[0]), "--shard")
    if words[0] == "auto" { (number, source) = try Self.number(in: environment, command) }
    guard let number, (1...count).contains(number) else {
      throw .usage(
        .badValue, "\(source): the shard is not a number from 1 to \(count)", command,
        help: "start as many jobs as there are shards")
    }
    self.init(number, of: count)
  }

  /// Returns the one-based shard number (nil if invalid) and the name of its environment variable.
  private static func number(
    in environment: [String: String], _ command: String
  ) throws(Diagnostic) -> (Int?, String) {
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    if let text = value("SLURM_ARRAY_TASK_ID") {
      let first = value("SLURM_ARRAY_TASK_MIN") ?? "1"
      let number = Int(text).flatMap { id in
        Int(first).map { id.subtractingReportingOverflow($0).partialValue &+ 1 }
      }
      return (number, "SLURM_ARRAY_TASK_ID")
    }
    if let text = value("JOB_COMPLETION_INDEX") {
      return (Int(text).map { $0 &+ 1 }, "JOB_COMPLETION_INDEX")
    }
    if let text = value("PARALLEL_SEQ") { return (Int(text), "PARALLEL_SEQ") }
    throw .usage(
      .badValue,
      "--shard auto: none of SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX and PARALLEL_SEQ is set",
      command, help: "use an array job, an Indexed Job or GNU parallel, or write --shard I/N")
  }
}

extension RawArguments {
  /// Returns the store from `--store` or, without this option, from `SITEGEN_STORE`.
  func storeLocation(
    _ command: String, isShard: Bool = false
  ) throws(Diagnostic) -> SharedStore.Location? {
    guard command == "build" || text(.store) != nil else { return nil }
    let variable = ProcessInfo.processInfo.environment["SITEGEN_STORE"] ?? ""
    guard var path = text(.store) ?? (variable.isEmpty ? nil : variable) else {
      guard has(.storeMode) || isShard else { return nil }
      throw .usage(
        .badValue, "--\(isShard ? "shard" : "store-mode") needs a store", command,
        help: "specify the folder with --store")
    }
    if path.hasPrefix("dir:") { path = String(path.dropFirst(4)) }
    guard !path.isEmpty, !path.contains("://") else {
      throw .usage(
        .badValue, "cannot use the store \(path.quoted): it is not a folder", command,
        help: "specify a folder; `rclone mount` or `rclone copy` connects it to a bucket")
    }
    let mode = text(.storeMode).flatMap(SharedStore.Mode.init) ?? (isShard ? .readwrite : .read)
    if isShard && !mode.writes {
      throw .usage(
        .badValue, "--shard and --store-mode read cannot be used together", command,
        help: "a shard writes its images to the store")
    }
    return SharedStore.Location(path, mode: mode)
  }
}
