import Bytes
package import Files
import Foundation
import Glibc
package import Manifest

/// A git repository whose contributors form a list of people.
///
/// The repository is untrusted: its configuration must not run commands, fetch, or ask for a
/// password.
package struct GitRepository {
  package typealias Refusal = ManifestReader.Refusal

  /// Whether the history is incomplete, as after `actions/checkout` without `fetch-depth: 0`.
  package private(set) var isShallow = false
  /// Absolute paths of the files that determine the contributors; the first is `.mailmap`.
  package private(set) var inputs: [String] = []
  package static let (secondsLimit, outputLimit) = (300, 64 << 20)
  private let folder: String
  private let environment: [String: String]
  private let cancellation: Cancellation

  /// Opens a folder's repository; without `allowOutside`, the folder must be the repository's root.
  package init(
    at path: String, in start: Folder, allowOutside: Bool, _ cancellation: Cancellation
  ) throws(Refusal) {
    self.cancellation = cancellation
    folder = URL(fileURLWithPath: start.absolute(path)).resolvingSymlinksInPath().path
    // Keep the user's and the system's config, because they may set `safe.directory`.
    let names = [
      "PATH", "HOME", "XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM", "SUDO_UID",
    ]
    environment = ProcessInfo.processInfo.environment.filter { names.contains($0.key) }.merging([
      "LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "GIT_NO_REPLACE_OBJECTS": "1",
      // Never fetch missing objects; git before 2.39.4 obeys only the second variable.
      "GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none",
      // Prevent git from searching parent folders.
      "GIT_CEILING_DIRECTORIES": allowOutside
        ? "" : (folder as NSString).deletingLastPathComponent,
    ]) { $1 }
    let output = try run([
      "rev-parse", "--path-format=absolute", "--is-shallow-repository", "--git-dir",
      "--git-common-dir", "--symbolic-full-name", "HEAD", "--show-cdup",
    ])
    let lines = String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
    guard lines.count >= 4 else { throw Refusal("git's output has an unknown format") }
    let (own, common, branch) = (lines[1], lines[2], lines[3])
    // Symlinks and `alternates` could lead to another repository's commits.
    let entries = try? ["objects", "objects/info"].flatMap {
      try start.entries(beneath: "\(path)/.git/\($0)", allowOutside: false).entries
    }
    let isWhole = entries?.contains { $0.kind == .link || $0.name == "alternates" } == false
    guard allowOutside || isWhole && common == folder + "/.git" else {
      throw Refusal(
        "the repository, or part of it, is outside the manifest's folder",
        help: "write `allowOutside: true` in the manifest")
    }
    isShallow = lines[0] == "true"
    let top = lines.count > 4 ? "\(folder)/\(lines[4])" : folder
    let files = [branch, "packed-refs", "reftable/tables.list", "shallow", "config"]
    inputs = [top + "/.mailmap", own + "/HEAD"] + files.map { "\(common)/\($0)" }
  }

  private func run(_ arguments: [String]) throws(Refusal) -> [UInt8] {
    let settings = [
      "core.fsmonitor=false", "core.hooksPath=/dev/null", "log.showSignature=false",
      "mailmap.file=/dev/null", "i18n.logOutputEncoding=UTF-8",
    ].flatMap { ["-c", $0] }
    ChildProcess.prepareSignals()
    let words = ["env", "git", "--no-pager", "-C", folder] + settings + arguments
    guard
      let child = try? ChildProcess(
        program: "/usr/bin/env", arguments: words, environment: environment)
    else { throw Refusal("cannot start git") }
    let deadline = SuspendingClock.now + .seconds(Self.secondsLimit)
    var (output, message): ([UInt8], [UInt8]) = ([], [])
    var scratch = [UInt8](repeating: 0, count: 64 << 10)
    var ending: ChildProcess.Ending?
    while ending == nil {
      guard SuspendingClock.now < deadline, output.count < Self.outputLimit,
        !cancellation.isCancelled
      else { throw Refusal("git took too long or listed too many people") }
      switch child.output.read(into: &scratch) {
      case .bytes(let count): output += scratch[..<count]
      case .nothing: usleep(1_000)
      case .end, .failed: ending = child.endingByItself(within: 5) ?? child.end()
      }
      if case .bytes(let count) = child.errorOutput.read(into: &scratch) {
        message += scratch[..<min(count, 4_096 - message.count)]
      }
    }
    if ending == .exited(0) { return output }
    let text = String(decoding: message, as: UTF8.self)
    let lines = text.split(separator: "\n")
    let command = lines.first { $0.contains("--add safe.directory") }?.trimmingBlanks
    let known = [
      ("env: ", "git is not installed", "install it, e.g. with apt install git"),
      (
        "not a git repository", "it is not a git repository",
        "choose the folder of a clone; a folder above the manifest needs `allowOutside: true`"
      ),
      ("argument 'HEAD'", "the repository does not have any commits", "make a commit first"),
      (
        "dubious ownership", "another user owns the repository (dubious ownership)",
        "if you trust it: \(command ?? "add it to safe.directory")"
      ),
    ]
    let reason = known.first { text.contains($0.0) }
    throw Refusal(reason?.1 ?? "git: \(lines.last ?? "it failed")", help: reason?.2)
  }

  /// Returns the authors and co-authors as JSON lines, sorted by number of commits.
  ///
  /// git applies `.mailmap`. Entries with the same name are merged unless their accounts differ.
  package func contributors() throws(Refusal) -> [UInt8] {
    let output = try run([
      "shortlog", "-sne", "--group=author", "--group=trailer:co-authored-by", "HEAD", "--",
    ])
    let accounts = accounts
    var people: [(name: String, commits: Int, record: [String: String])] = []
    var indices: [String: Int] = [:]
    for line in output.split(separator: UInt8(ascii: "\n")) {
      // Example: `    12 Ada Lovelace <ada@example.org>`. Co-author trailers can contain any text.
      let parts = String(decoding: line, as: UTF8.self).split(separator: "\t", maxSplits: 1)
      guard parts.count == 2, let count = Int(parts[0].trimmingBlanks), parts[1].hasSuffix(">"),
        let open = parts[1].lastIndex(of: "<")
      else { continue }
      // Remove email addresses, which some names contain.
      let name = parts[1][..<open].split(whereSeparator: \.isWhitespace)
        .filter { !$0.dropFirst().contains("@") }.joined(separator: " ")
      let mail = parts[1][open...].dropFirst().dropLast().lowercased()
      let account = Self.account(mail) ?? accounts[mail] ?? ""
      let isBot = !Self.bots.isDisjoint(with: [name.lowercased(), account, mail])
      if name.isEmpty || isBot || (name + mail).contains("[bot]") { continue }
      let key = account.isEmpty ? name : "github:" + account
      // Different accounts are different people, even with the same name.
      let namesake = indices[name].flatMap { index in
        account.isEmpty || people[index].record["avatar"] == nil ? index : nil
      }
      let index = indices[key] ?? namesake ?? people.count
      if index == people.count { people.append((name, 0, ["name": name])) }
      (indices[name], indices[key]) = (index, index)
      people[index].commits += count
      // Email addresses are not published; Gravatar needs only their hashes.
      let picture = account.isEmpty ? ("email", Digest(of: mail).hex) : ("avatar", key)
      people[index].record.merge([picture]) { first, _ in first }
    }
    people.sort { ($1.commits, $0.name) < ($0.commits, $1.name) }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let rows = try? people.map { person in
      var record = person.record
      record["commits"] = "\(person.commits)"
      record["title"] = person.commits == 1 ? "1 commit" : "\(person.commits) commits"
      return try encoder.encode(record)
    }
    return Array((rows ?? []).joined(separator: "\n".utf8))
  }

  /// Returns the GitHub account for an address such as `123+ada@users.noreply.github.com`.
  private static func account(_ mail: String) -> String? {
    let parts = mail.split { "+@".contains($0) }.map(String.init)
    guard mail.hasSuffix("@users.noreply.github.com"), parts.count > 1 else { return nil }
    let account = parts[parts.count - 2]
    return (try? AvatarService.github.address(account)).map { _ in account }
  }

  /// GitHub accounts, keyed by the address to which `.mailmap` maps their noreply address.
  private var accounts: [String: String] {
    let bytes = try? Folder(opening: "/").open(
      beneath: Inputs.fromRoot(inputs[0]), followingLinks: false
    ).readBytes(upTo: 1 << 20)
    let text = String(decoding: bytes ?? [], as: UTF8.self).lowercased()
    // Matches lines like `Ada Lovelace <ada@example.org> Ada <123+ada@users.noreply.github.com>`.
    let pairs = text.matches(of: /<([^<>\n]+)>[^<>\n]*<([^<>\n]+)>/).compactMap { match in
      Self.account(String(match.2)).map { (String(match.1), $0) }
    }
    return Dictionary(pairs) { first, _ in first }
  }

  private static let bots: Set<String> = [
    "dependabot", "dependabot-preview", "renovate", "renovate bot", "renovate-bot", "github",
    "github-actions", "github actions", "greenkeeper", "snyk-bot", "imgbot", "copilot",
    "bot@renovateapp.com", "cursoragent@cursor.com", "noreply@anthropic.com", "noreply@github.com",
  ]
}
