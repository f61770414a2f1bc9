import Build
import Bytes
import Diagnostics
import Foundation

extension Option {
  static let planStore = Option(
    "store", .text("URL"), "where the plan, its pictures and what is rendered of them lie")
  static let plan = Option("plan", .text("DIGEST"), "what `sitegen plan` printed")
}

extension RawArguments {
  /// The plan that is named, in the store that is named or is in `SITEGEN_STORE`.
  func planLocation(_ command: String) throws(Diagnostic) -> PlanLocation {
    guard let store = try storeLocation(command) else { throw .lacking("store", command) }
    guard let text = text(.plan) else { throw .lacking("plan", command) }
    guard let digest = Digest(hex: text) else { throw .noPlan(text, command) }
    return PlanLocation(digest, in: store)
  }
}

extension RawArguments {
  /// Tells why there is nothing else to tell, in JSON too if that is wanted.
  func report(
    _ failure: BuildFailure, as status: ExitStatus? = nil, _ session: Session, _ printer: Printer
  ) -> ExitStatus {
    let status = status ?? failure.reportOfPlan(to: printer)
    if has(.json) {
      session.console.print(
        json: FailureAccount(exitStatus: status.code, problems: failure.allProblems))
    }
    return status
  }
}

/// What `--json` prints of what failed as a whole; docs/distributed.md names each key.
private struct FailureAccount: Encodable {
  var version = 1
  var exitStatus: Int32
  var problems: [Diagnostic]
}

extension BuildFailure {
  /// As `report`, of work that has no site which could be whole: a script may read what is printed.
  func reportOfPlan(to printer: Printer) -> ExitStatus {
    if case .cancelled = self { ExitStatus(self) } else { report(to: printer) }
  }
}

extension Diagnostic {
  static func noPlan(_ text: String, _ command: String) -> Diagnostic {
    .usage(
      .badValue, "\(text.quoted) is no plan", command,
      help: "a plan is named by the 64 digits that `sitegen plan` printed")
  }

  static func lacking(_ option: String, _ command: String) -> Diagnostic {
    .usage(
      .badValue, "--\(option) is missing", command,
      help: option == "store"
        ? "name the store with --store, or in the environment as SITEGEN_STORE"
        : "name it with --\(option)")
  }
}

/// Which shard a process is: `3` or `3/200` as typed, or as a scheduler says in its environment.
struct ShardChoice: Hashable {
  var shard: Int
  /// Nil for as many as the plan says.
  var shards: Int?

  init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard let shard = parts.first ?? nil, shard >= 0, parts.count <= 2 else { return nil }
    self.shard = shard
    if parts.count == 2 {
      guard let all = parts[1], all > shard else { return nil }
      shards = all
    }
  }

  init(shard: Int) { self.shard = shard }

  /// Variables of schedulers, and the number that each begins with.
  static let variables: [(name: String, first: Int)] = [
    ("SLURM_ARRAY_TASK_ID", 0), ("JOB_COMPLETION_INDEX", 0), ("AWS_BATCH_JOB_ARRAY_INDEX", 0),
    ("BATCH_TASK_INDEX", 0), ("CLOUD_RUN_TASK_INDEX", 0), ("PBS_ARRAY_INDEX", 0),
    ("OMPI_COMM_WORLD_RANK", 0), ("PMI_RANK", 0), ("SGE_TASK_ID", 1), ("LSB_JOBINDEX", 1),
    ("PARALLEL_SEQ", 1),
  ]

  /// The first variable that has a number; those that count from 1 say 0, or no number, outside of an
  /// array.
  static func found(
    in environment: [String: String]
  ) -> (choice: ShardChoice, variable: String)? {
    for (name, first) in variables {
      guard let number = environment[name].flatMap({ Int($0) }), number >= first else { continue }
      return (ShardChoice(shard: number - first), name)
    }
    return nil
  }
}
