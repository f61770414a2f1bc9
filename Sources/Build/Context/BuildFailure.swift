package import Diagnostics
import Files
import Store

package enum BuildFailure: Error, Sendable {
  /// Invalid manifest, templates or command line: exit code 2, nothing changed.
  case usage(Diagnostics)
  /// Warnings or errors under `--strict`: exit code 1, nothing published.
  case strict(BuildResult)
  /// A problem with the disk, permissions or ImageMagick: exit code 3, the old site stays intact.
  case machine(Diagnostic)
  case locked(Diagnostic)
  case cancelled(signal: Int32)
  /// Superseded by a newer build in watch mode; the process does not exit.
  case superseded

  package var exitStatus: Int32 {
    switch self {
    case .usage: 2
    case .strict: 1
    case .machine: 3
    case .cancelled(let signal): 128 + signal
    case .locked, .superseded: 75
    }
  }
}

extension BuildFailure {
  package static func usage(_ diagnostic: Diagnostic) -> BuildFailure {
    var diagnostics = Diagnostics()
    diagnostics.add(diagnostic)
    return .usage(diagnostics)
  }

  package static func usage(
    _ id: DiagnosticID, _ message: String, note: String? = nil, help: String? = nil
  ) -> BuildFailure {
    .usage(Diagnostic(.error, id, message, note: note, help: help))
  }

  package static func machine(
    _ id: DiagnosticID, _ message: String, note: String? = nil, help: String? = nil
  ) -> BuildFailure {
    .machine(Diagnostic(.error, id, message, note: note, help: help))
  }

  static func notSandboxed(_ who: String, _ missing: String) -> BuildFailure {
    .machine(
      .sandboxIncomplete, "\(who) lack a sandbox layer that --require-sandbox requires",
      note: missing,
      help: "use another kernel or container, or build without --require-sandbox")
  }

  static func unreadableManifest(_ path: String, _ error: FileError) -> BuildFailure {
    let subject = "the manifest \(path)"
    if error.isOfMachine { return unreadable(.manifestUnreadable, subject, error) }
    return .usage(
      .manifestUnreadable, "cannot read \(subject)", note: error.explanation,
      help: error.reason == .notFound
        ? "`sitegen build PATH` can also read people's data; `sitegen init DIR` creates an example"
        : nil)
  }

  /// Returns a failure for a file or folder that cannot be read but may be valid.
  static func unreadable(
    _ id: DiagnosticID, _ subject: String, _ error: FileError
  ) -> BuildFailure {
    // A glob may match more folders than intended.
    let other = id == .usersUnreadable ? ", or list only the folders that you want" : ""
    let help = "allow this user to read it, e.g. chmod u+rX\(other); the site is unchanged"
    return .machine(
      id, "cannot read \(subject)", note: error.explanation,
      help: error.reason == .denied ? help : nil)
  }

  package static func mapping<Result>(
    _ cancellation: Cancellation = Cancellation(), _ body: () throws -> Result
  ) throws(BuildFailure) -> Result {
    do {
      return try body()
    } catch {
      throw BuildFailure(error, cancellation)
    }
  }

  package init(_ error: any Error, _ cancellation: Cancellation) {
    switch error {
    case let failure as BuildFailure: self = failure
    case let diagnostic as Diagnostic: self = .usage(diagnostic)
    case is CancellationError where cancellation.signalNumber != 0:
      self = .cancelled(signal: cancellation.signalNumber)
    case is CancellationError where cancellation.isSuperseded: self = .superseded
    case is CancellationError:
      // Without a signal, report a machine failure: exit codes of 128 + n are reserved for signals.
      self = .machine(.machineFailed("the build cannot continue", "its workers were stopped"))
    case let error as FileError:
      let help = error.operation == "create" ? "choose another --output or --cache" : nil
      let message = "cannot \(error.operation) \(error.path)"
      self = .machine(
        Diagnostic(.error, .machineFailed, message, note: error.explanation, help: help))
    case let error as StoreError:
      self = .machine(.machineFailed("the cache cannot be used", error.explanation))
    default: self = .machine(.machineFailed("the build cannot continue", "\(error)"))
    }
  }
}

extension FileError {
  /// Whether the cause is permissions, memory or the disk rather than the path.
  var isOfMachine: Bool { [.denied, .other].contains(reason) }
}

extension Diagnostic {
  fileprivate static func machineFailed(_ message: String, _ cause: String) -> Diagnostic {
    Diagnostic(.error, .machineFailed, message, note: cause)
  }
}
