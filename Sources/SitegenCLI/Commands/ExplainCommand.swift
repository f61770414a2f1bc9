import Build
import Bytes
import Compare
import Diagnostics
import Foundation
import Manifest

extension Option {
  fileprivate static let user = Option("user", .text("ID"), "whose pictures to explain")
  fileprivate static let file = Option(
    "file", .text("PATH"), "a file of the output: whose it is, and where that comes from")
  fileprivate static let style = Option("style", .text("NAME"), "this style only")
}

extension Command {
  static let explain: Command = Command(
    "explain", "Tell where a person's pictures come from, or whose a file of the site is",
    operands: [.site],
    options: [
      .user, .file, .style, .directory, .manifest, .output, .cache, .jobs, .allowEmpty, .json,
    ],
    notes: [
      "It tells which sources were tried and why they failed, what is drawn, what the next build "
        + "renders again and why, and which files show it.",
      "Nothing is fetched, rendered or written: of pictures on the network it tells what is kept.",
    ]
  ) { (arguments, session) throws(Diagnostic) in
    let printer = Printer(session.console, volume: arguments.volume)
    let options = try arguments.buildOptions("explain")
    guard arguments.has(.user) != arguments.has(.file) else {
      throw .usage(.missingValue, "say what to explain: --user or --file", "explain")
    }
    session.engine.confine(options.writable)
    return try Interruption.watched(session.console) { cancellation in
      var account = ExplainAccount(output: options.output)
      do throws(BuildFailure) {
        let explain = Explain(options, cancellation: cancellation)
        try account.fill(
          explain, arguments.text(.user), arguments.text(.style), arguments.text(.file))
        for line in account.lines { printer.say(line) }
      } catch {
        account.problems = error.allProblems
        account.exitStatus = error.report(to: printer).code
      }
      if arguments.has(.json) { session.console.print(json: account) }
      return ExitStatus(code: account.exitStatus)
    }
  }
}

/// What `--json` prints; docs/verify.md names each key.
private struct ExplainAccount: Encodable {
  struct File: Encodable {
    var path: String
    var bytes: Int64?
    var sha256: String?
    /// Whether sitegen has written it.
    var isOurs = false
    var owners: [PublishedPictures.Owner] = []
    /// Files that name it.
    var files: [String] = []
  }

  var version = 1
  var exitStatus: Int32 = 0
  var output: String
  var file: File?
  var explanation: Explanation?
  var problems: [Diagnostic] = []

  init(output: String) { self.output = output }

  mutating func fill(
    _ explain: Explain, _ user: String?, _ style: String?, _ file: String?
  ) throws(BuildFailure) {
    let site = PublishedPictures(in: output)
    var (user, style) = (user, style)
    if let file {
      let path = inside(file)
      var found = File(path: path)
      if let entry = try explain.file(path) {
        (found.isOurs, found.bytes, found.sha256) = (true, entry.size, entry.digest.hex)
        found.owners = try site.owners(of: entry.digest)
        found.files = try explain.files(showing: [path])[path] ?? []
        // Of several who share a picture, the first stands for all.
        let first = found.owners.first { $0.style != nil && $0.style == style ?? $0.style }
        (user, style) = (first?.name, first?.style)
      }
      self.file = found
    }
    guard let user else { return }
    var explanation = try explain.user(user, style: style, published: site.of(user))
    let files = try explain.files(
      showing: Set(explanation.styles.flatMap { $0.images.compactMap(\.shown) }))
    for index in explanation.styles.indices {
      let shown = explanation.styles[index].images.compactMap(\.shown)
      explanation.styles[index].files = Set(shown.flatMap { files[$0] ?? [] }).sorted()
    }
    self.explanation = explanation
  }

  /// A path from the output, as a shell completes it from elsewhere.
  private func inside(_ path: String) -> String {
    let folder = URL(fileURLWithPath: output).standardizedFileURL.path + "/"
    let whole = URL(fileURLWithPath: path).standardizedFileURL.path
    return whole.hasPrefix(folder) ? String(whole.dropFirst(folder.count)) : path
  }

  // MARK: Words

  /// Files that are named, of each picture.
  private static let fileLimit = 10

  var lines: [String] {
    (file.map(Self.lines) ?? []) + (explanation.map(Self.lines) ?? [])
  }

  private static func lines(_ file: File) -> [String] {
    guard file.isOurs, let bytes = file.bytes, let sha256 = file.sha256 else {
      return ["\(file.path): sitegen did not write it"]
    }
    var lines = ["\(file.path): \(bytes) bytes, sha256 \(sha256)"]
    for owner in file.owners.prefix(fileLimit) {
      let style = owner.style.map { " in style \($0)" } ?? ""
      lines.append(
        "  of \(owner.kind) \(owner.name)\(style), \(owner.scale.plain)x \(owner.format)")
    }
    if file.owners.isEmpty { lines.append("  of the site, and of no person") }
    if file.owners.count > fileLimit { lines.append("  and \(file.owners.count - fileLimit) more") }
    return lines + named("  named by", file.files)
  }

  private static func named(_ words: String, _ files: [String]) -> [String] {
    let rest = files.count > fileLimit ? " and \(files.count - fileLimit) more" : ""
    return files.isEmpty
      ? [] : ["\(words) \(files.prefix(fileLimit).joined(separator: ", "))\(rest)"]
  }

  private static func lines(_ explanation: Explanation) -> [String] {
    var lines = ["\(explanation.user) (\(explanation.name)): \(explanation.status)"]
    for (number, source) in explanation.sources.enumerated() {
      var words = "  \(number + 1). \(source.source): \(source.answer)"
      if let format = source.format, let width = source.width, let height = source.height {
        words += ", \(format) of \(width) × \(height) pixels"
      }
      if let detail = source.detail, let reason = source.reason {
        words += ", \(detail) [\(reason)]"
      }
      lines.append(words)
      if let digest = source.sha256 { lines.append("     sha256 \(digest)") }
    }
    if explanation.sources.isEmpty { lines.append("  no source is named") }
    return lines + explanation.styles.flatMap(Self.lines)
  }

  private static func lines(_ style: Explanation.Style) -> [String] {
    var lines = ["style \(style.name)"]
    lines += style.recipe.map { "  \($0.term): \($0.text)" }
    for image in style.images {
      lines.append(
        "  \(image.scale.plain)x \(image.format): \(image.path ?? "not rendered yet")")
      lines.append("    key \(image.key), \(image.words)")
    }
    return lines + named("  shown by", style.files)
  }
}

extension Explanation.Image {
  fileprivate var words: String {
    let change = [old, new].compactMap(\.self).joined(separator: ", now ")
    let reason =
      switch differs {
      case nil: cached ? "as in the last build" : "as in the last build, but lost from the cache"
      case "new"?: "not on the site"
      case let field?: "another \(field) than in the last build"
      }
    return reason + (change.isEmpty ? "" : ": \(change)")
      + (differs != nil && cached ? "; rendered before" : "")
  }
}
