import Build
import Glibc
import TestSupport

/// A temporary folder with a manifest and pictures for the real program.
struct SiteFolder {
  let folder: TemporaryFolder

  init(inMemory: Bool = true) { folder = TemporaryFolder(inMemory: inMemory) }

  /// A style with one small square PNG per user.
  static let smallStyle =
    #"{"name": "s", "size": 8, "shape": "square", "scales": [1], "formats": ["png"]}"#

  var path: String { folder.path }

  /// Writes users with their sources to `content/manifest.json`.
  func write(
    users: [(id: String, avatars: [String])], style: String = smallStyle, more: String = ""
  ) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    let lines = try users.map { user in
      let id = String(decoding: try encoder.encode(user.id), as: UTF8.self)
      let avatars = String(decoding: try encoder.encode(user.avatars), as: UTF8.self)
      return #"{"id": \#(id), "avatar": \#(avatars)}"#
    }
    try write(
      manifest: """
        {"version": 1, \(more) "avatars": [\(style)], "users": [
        \(lines.joined(separator: ",\n"))
        ]}
        """)
  }

  func write(manifest: String) throws { try folder.write(manifest, to: "content/manifest.json") }

  /// Writes a picture with an old timestamp next to the manifest.
  func write(picture: Data, to name: String) throws {
    try folder.write(picture, to: "content/" + name)
    try folder.setModified("content/" + name, to: 1_700_000_000)
  }

  /// Creates a pipe without a writer.
  func makePipe(_ name: String) throws {
    try folder.write("", to: name)
    try folder.remove(name)
    guard unsafe mkfifo(folder.path(of: name), 0o600) == 0 else { throw POSIXError(.EIO) }
  }

  func makeSparse(_ name: String, bytes: Int) throws {
    try folder.write("", to: name)
    guard unsafe truncate(folder.path(of: name), bytes) == 0 else { throw POSIXError(.EIO) }
  }

  func start(
    _ words: [String], environment: [String: String] = RunningProgram.usualEnvironment,
    through wrapper: [String] = [], into output: FileHandle? = nil
  ) throws -> RunningProgram {
    try RunningProgram(
      sitegen: words, in: path, environment: environment, through: wrapper, into: output)
  }

  func run(
    _ words: [String], environment: [String: String] = RunningProgram.usualEnvironment,
    through wrapper: [String] = []
  ) throws -> RunningProgram.Ending {
    try start(words, environment: environment, through: wrapper).ending()
  }

  static let buildWords = ["build", "--quiet", "--manifest", "content/manifest.json"]

  /// Builds `content/manifest.json` to `output`.
  func build(
    _ words: String..., environment: [String: String] = RunningProgram.usualEnvironment,
    through wrapper: [String] = []
  ) throws -> RunningProgram.Ending {
    try run(Self.buildWords + words, environment: environment, through: wrapper)
  }

  func tree(_ name: String = "output") -> Tree { Tree(of: folder.path(of: name)) }

  func report() throws -> Report {
    try JSONDecoder().decode(Report.self, from: folder.read(".sitegen/report.json"))
  }

  func assets() throws -> AssetsFile {
    try JSONDecoder().decode(AssetsFile.self, from: folder.read("output/assets.json"))
  }
}

extension AssetsFile {
  var reasons: [String: String] {
    users.compactMapValues { $0.status == "ok" ? nil : $0.reason ?? $0.status }
  }

  func digest(_ user: String) -> String? { users[user]?.avatars["s"]?.first?.sha256 }
}
