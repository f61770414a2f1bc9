package import Files
import Glibc

/// A manifest with its pictures, and its builds, in a temporary folder.
package final class TestSite: Sendable {
  package let folder = TemporaryFolder(inMemory: true)
  package let manifest: String

  /// A style with one small image per person, which is enough for most tests.
  package static let small = "name: small, size: 16, scales: [1], shape: square, formats: [png]"
  /// An old modification time, so that file stamps are trusted.
  package static let longAgo = 1_600_000_000

  package init(manifest: String = "content/manifest.yaml") throws {
    self.manifest = manifest
    // An empty folder overrides the templates in the working folder.
    try folder.makeFolder("templates")
    try folder.makeFolder("content")
  }

  private static let known = {
    atexit { TestSite.forgetShared() }
    return Locked<[String: TestSite]>([:])
  }()

  /// Returns a site that several read-only tests share; the first caller builds it.
  package static func shared(_ name: String, _ build: () throws -> TestSite) throws -> TestSite {
    try known.withLock { known in
      if let site = known[name] { return site }
      let site = try build()
      known[name] = site
      return site
    }
  }

  private static func forgetShared() { known.withLock { $0 = [:] } }

  /// Writes the manifest; styles and buttons are YAML mappings without braces.
  package func write(
    _ people: [Person], styles: [String] = [small], buttons: [String] = [], more: String = ""
  ) throws {
    var lines = ["version: 1"]
    if !more.isEmpty { lines.append(more) }
    lines.append("avatars:")
    lines += styles.map { "  - { \($0) }" }
    if !buttons.isEmpty { lines.append("buttons:") }
    lines += buttons.map { "  - { \($0) }" }
    lines.append("users:\(people.isEmpty ? " []" : "")")
    lines += try people.map { "  - \(try $0.json)" }
    // Small pictures in one colour would cause notices.
    if !more.contains("notices:") { lines.append("notices: off") }
    try folder.write(lines.joined(separator: "\n") + "\n", to: manifest)
    try age("content")
  }

  /// Writes a picture in one colour next to the manifest.
  package func paint(_ name: String, _ color: TestPicture.Pixel, side: Int = 16) throws {
    try put(TestPicture.png(width: side, height: side, kind: .color) { _, _ in color }, at: name)
  }

  /// Writes a file with an old modification time next to the manifest.
  package func put(_ bytes: some Sequence<UInt8>, at name: String) throws {
    try folder.write(bytes, to: "content/\(name)")
    try folder.setModified("content/\(name)", to: Self.longAgo)
  }

  package func age(_ name: String, to seconds: Int = longAgo) throws {
    for path in folder.list() where path.hasPrefix(name + "/") {
      try folder.setModified(path, to: seconds)
    }
  }

  package func options(jobs: Int = 1) -> BuildOptions {
    var options = BuildOptions(
      jobs: jobs, programs: Programs(beside: BuiltProduct.sitegen), pages: GalleryMaker())
    options.manifest = folder.path(of: manifest)
    options.output = folder.path(of: "output")
    options.cache = folder.path(of: "cache")
    options.templates = TemplatesFolder(folder.path(of: "templates"))
    return options
  }

  @discardableResult
  package func build(
    jobs: Int = 1, _ adjust: (inout BuildOptions) -> Void = { _ in }
  ) throws -> BuildResult {
    var options = options(jobs: jobs)
    adjust(&options)
    return try Build(options).run()
  }

  @discardableResult
  package func build(progress: @escaping @Sendable (ProgressEvent) -> Void) throws -> BuildResult {
    try Build(options(), progress: progress).run()
  }

  package func start(
    _ command: String, environment: [String: String] = RunningProgram.usualEnvironment
  ) throws -> RunningProgram {
    let options = options()
    var words = [command, "--output", options.output, "--cache", options.cache]
    if command == "build" {
      words += ["--manifest", options.manifest, "--templates", options.templates.path]
    }
    return try RunningProgram(sitegen: words, environment: environment)
  }

  package func failure(_ adjust: (inout BuildOptions) -> Void = { _ in }) throws -> BuildFailure {
    try #require(throws: BuildFailure.self) { try build(adjust) }
  }

  package func clean() throws {
    if let error = try Clean(options()).run().leftovers.finish() { throw error }
  }

  /// Returns the digest of every output file by path.
  package func snapshot() throws -> [String: Digest] {
    var files: [String: Digest] = [:]
    for path in outputFiles() { files[path] = Digest(of: try folder.read("output/\(path)")) }
    return files
  }

  package func stamps() throws -> [String: FileStamp] {
    let output = try Folder(opening: folder.path(of: "output"))
    var stamps: [String: FileStamp] = [:]
    for path in outputFiles() { stamps[path] = try output.stamp(of: path) }
    return stamps
  }

  /// Returns the paths of all output files except the lock, sorted by bytes.
  package func outputFiles() -> [String] {
    folder.list().filter { $0.hasPrefix("output/") }.map { String($0.dropFirst(7)) }
      .filter { $0 != ".sitegen-lock" && !isFolder("output/\($0)") }
  }

  package func assetFiles() -> [String] { outputFiles().filter { $0.hasPrefix("assets/") } }

  package func text(_ name: String) throws -> String { try folder.text(of: "output/\(name)") }

  package func assets() throws -> AssetsFile {
    try JSONDecoder().decode(AssetsFile.self, from: folder.read("output/assets.json"))
  }

  /// Returns the only image of a user in a style, scale and format.
  package func image(
    of user: String, _ style: String = "small", scale: Double = 1, format: String = "png"
  ) throws -> AssetsFile.Image {
    let images = try #require(try assets().users[user]?.avatars[style])
    return try #require(images.first { $0.scale == scale && $0.format == format })
  }

  package func pixels(of user: String, _ style: String = "small", scale: Double = 1) throws
    -> Pixels
  {
    let image = try image(of: user, style, scale: scale)
    let pixels = try Pixels(png: folder.read("output/\(image.path)"))
    #expect(pixels.width == image.width && pixels.height == image.height)
    return pixels
  }

  package func report() throws -> Report {
    try JSONDecoder().decode(Report.self, from: folder.read("cache/report.json"))
  }

  private func isFolder(_ path: String) -> Bool {
    let path = folder.path(of: path)
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return attributes?[.type] as? FileAttributeType == .typeDirectory
  }
}

package struct Person: Encodable {
  package var id: String
  package var name: String?
  package var avatar: [String]?
  package var background: String?
  package var title: String?
  package var tags: [String]?
  package var link: String?
  package var about: String?
  package var links: [String]?
  package var styles: [String]?
  package var focus: [String]?
  package var decorations: [String]?

  package init(
    _ id: String, name: String? = nil, _ avatar: String..., background: String? = nil,
    title: String? = nil, tags: [String]? = nil, link: String? = nil, styles: [String]? = nil,
    focus: [String]? = nil, decorations: [String]? = nil
  ) {
    self.id = id
    self.name = name
    self.avatar = avatar.isEmpty ? nil : avatar
    self.background = background
    self.title = title
    self.tags = tags
    self.link = link
    self.styles = styles
    self.focus = focus
    self.decorations = decorations
  }

  package var json: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
  }
}
