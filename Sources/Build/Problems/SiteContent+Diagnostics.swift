import Diagnostics
import Documents
import Fetch
import Manifest
import Plan
import Recipes

extension SiteContent {
  /// What is to be said of a user's picture; nil when it is what was asked for.
  ///
  /// A later source of a list that works is what was asked for: only the report tells why the
  /// earlier ones did not.
  func diagnostic(for user: Int) -> Diagnostic? {
    let status = assignment.status(of: user)
    if let stale = staleness(of: user) { return diagnostic(for: user, stale) }
    guard status == .failed || status == .fallback,
      let (index, failure) = assignment.failure(of: user)
    else { return nil }
    let person = manifest.users[user]
    guard index < person.avatars.count else {
      return Diagnostic(
        .error, failure.reason.rawValue,
        "cannot make a picture of the colour \(person.background?.css ?? "")",
        at: person.declared.location,
        path: "\(person.declared.path).background", note: failure.detail, help: failure.reason.help)
    }
    let source = person.avatars[index]
    let declared = declaration(of: index, of: user)
    return Diagnostic(
      status == .failed ? .error : .warning, failure.reason.rawValue,
      "cannot \(failure.reason.verb) \(source.kind.names.source)"
        + (status == .fallback ? "; the background colour is shown instead" : ""),
      at: declared.location, path: declared.path, note: note(on: failure, number: index, of: user),
      help: source.kind.colorHelp(on: failure.reason) ?? failure.reason.help)
  }

  /// Of a user whose picture is one of an earlier time, why it cannot be fetched now.
  func staleness(of user: Int) -> Staleness? {
    guard assignment.assignments[user].isStale, let kind = assignment.candidate(of: user) else {
      return nil
    }
    return sources.stale[kind]
  }

  private func diagnostic(for user: Int, _ stale: Staleness) -> Diagnostic {
    let declared = declaration(of: assignment.assignments[user].candidate, of: user)
    let source = manifest.users[user].avatars[assignment.assignments[user].candidate]
    return Diagnostic(
      .warning, .sourceStale,
      "cannot fetch \(source.kind.names.source); the picture of an earlier time is shown",
      at: declared.location,
      path: declared.path, note: stale.rejection.noteOfStaleness)
  }

  /// That the colour profile of a user's picture was ignored.
  func profileDiagnostic(of user: Int) -> Diagnostic? {
    guard let source = assignment.assignments[user].source,
      rendered.ignoresProfile(source: source),
      let kind = assignment.candidate(of: user)
    else { return nil }
    let declared = declaration(of: assignment.assignments[user].candidate, of: user)
    return Diagnostic(
      .note, .profileIgnored, "the colours of \(kind.names.source) are taken for sRGB",
      at: declared.location, path: declared.path, note: "its colour profile is damaged")
  }

  /// Where the manifest names a user's source, or the fallback that stands for it.
  private func declaration(of source: Int, of user: Int) -> Located {
    let person = manifest.users[user]
    let avatar = person.avatars[source]
    if let fallback = avatar.fallback { return manifest.fallback[fallback] }
    let isAlone = person.avatars.count { $0.fallback == nil } == 1
    return Located(
      FileLocation(file: person.declared.location.file, position: avatar.position),
      path: "\(person.declared.path).avatar\(isAlone ? "" : "[\(source)]")")
  }

  /// Why a source does not work, and why the manifest's fallback does not either.
  private func note(on failure: Rejection, number: Int, of user: Int) -> String {
    let failures = assignment.assignments[user].failures
    let avatars = manifest.users[user].avatars
    guard avatars[number].fallback == nil,
      let last = avatars.indices.prefix(failures.count).last(where: { avatars[$0].fallback != nil })
    else { return failure.detail }
    return "\(failure.detail); the fallback fails too: \(failures[last].detail)"
  }
}

extension Rejection {
  var noteOfStaleness: String { "\(detail) [\(reason.rawValue)]" }
}

extension AvatarSource.Kind {
  /// Of a file that is not there and is called like a colour, how to write that colour.
  func colorHelp(on reason: Reason) -> String? {
    guard reason == .unreadable, case .file(let path) = self, Color(parsing: path.text) != nil
    else {
      return nil
    }
    return "write `color:\(path.text)` for the colour"
  }
}

extension Reason {
  /// As in "cannot read missing.png".
  fileprivate var verb: String {
    switch self {
    case .unreadable, .outsideRoot, .notRegular: "read"
    case .crashed, .timedOut, .outOfMemory: "decode"
    case .glyphMissing, .fontMissing, .fontUnusable, .noInitials: "draw"
    case _ where isOfFetching: "fetch"
    default: "use"
    }
  }

  /// Files can be empty or too large, too.
  private var isOfFetching: Bool {
    FetchReason(rawValue: rawValue) != nil && self != .empty && self != .tooManyBytes
  }

  /// What to do, if that can be said in general.
  var help: String? {
    switch self {
    case .unreadable: "paths are relative to the manifest"
    case .outsideRoot: "copy it beside the manifest, or write `allowOutside: true`"
    case .truncated, .corrupt: "export or copy the picture again"
    case .unsupportedFormat: "use \(Inspection.Format.list)"
    case .tooManyPixels, .tooManyBytes: "make the picture smaller"
    case .crashed, .timedOut, .outOfMemory: "the next build tries again; another picture helps"
    case .glyphMissing:
      "name a font that has it with `font:`, or install those that script/bootstrap names"
    case .fontMissing: "script/bootstrap installs what is missing; `font:` names another"
    case .fontUnusable: "name a TrueType or OpenType font with `font:`"
    case .noInitials: "give the user a name, or another source"
    case _ where isOfFetching:
      DiagnosticID(rawValue: rawValue)?.advice.map {
        $0.prefix(1).lowercased() + $0.dropFirst().dropLast()
      }
    default: nil
    }
  }
}
