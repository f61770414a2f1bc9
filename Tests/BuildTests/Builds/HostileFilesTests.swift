import Glibc
import SiteSupport
import Testing

/// Whole builds over files that are not what their names promise.
struct HostileFilesTests {
  private func codes(of failure: BuildFailure) -> [String] {
    guard case .usage(let diagnostics) = failure else { return ["\(failure)"] }
    return diagnostics.sorted.map(\.id)
  }

  enum NoManifest: String, CaseIterable, Sendable {
    case missing, folder, empty, oneByte, blank, noFolder
  }

  /// M1: missing, a folder, empty, one byte: exit 2, and nothing is touched.
  @Test(arguments: NoManifest.allCases)
  func `no manifest`(kind: NoManifest) throws {
    let site = try TestSite()
    switch kind {
    case .missing: break
    case .folder: try site.folder.makeFolder(site.manifest)
    case .empty: try site.folder.write("", to: site.manifest)
    case .oneByte: try site.folder.write("x", to: site.manifest)
    case .blank: try site.folder.write("\n \n# nothing\n", to: site.manifest)
    case .noFolder: try site.folder.remove("content")
    }
    let failure = try site.failure()
    #expect(failure.exitStatus == 2)
    #expect(codes(of: failure).count == 1)
    if ![.oneByte, .empty, .blank].contains(kind) {
      #expect(codes(of: failure) == ["manifest-unreadable"])
    }
    #expect(site.outputFiles().isEmpty)
  }

  /// M2: a manifest of 1 GB is refused before it is read.
  @Test func `a manifest too large to read`() throws {
    let site = try TestSite()
    try site.folder.write("", to: site.manifest)
    let path = site.folder.path(of: site.manifest)
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.truncate(atOffset: 1 << 30)
    try file.close()
    // Not as JSON of zeros, which is what reading it would find.
    #expect(codes(of: try site.failure()) == ["manifest-unreadable"])
  }

  /// M3: a pipe, a device and what the kernel makes up are refused at once.
  @Test(arguments: ["pipe", "/dev/zero", "/dev/stdin", "/proc/self/mem", "/proc/self/environ"])
  func `a manifest that is no file`(target: String) throws {
    let site = try TestSite()
    if target == "pipe" {
      #expect(unsafe mkfifo(site.folder.path(of: site.manifest), 0o600) == 0)
    } else {
      try site.folder.link(site.manifest, to: target)
    }
    let failure = try site.failure()
    #expect(failure.exitStatus == 2)
    #expect(codes(of: failure) == ["manifest-unreadable"])
    #expect(site.outputFiles().isEmpty)
  }

  static let prefixes = [
    "msl", "mvg", "svg", "text", "label", "caption", "ephemeral", "inline", "fd", "x", "vid",
    "epdf", "png", "jpeg", "gif", "webp", "bmp", "tiff", "ico", "pdf", "ps", "eps", "xc", "canvas",
    "gradient", "radial-gradient", "plasma", "pattern", "tile", "null", "rose", "logo", "granite",
    "netscape", "wizard", "screenshot", "clipboard", "show", "win", "histogram", "info", "map",
    "mask", "matte", "mpc", "mpr", "mpri", "msvg", "rsvg", "url", "ftp", "file", "html", "man",
    "uyvy", "yuv", "rgba", "raw", "dng", "pango", "scan", "stegano", "thumbnail", "txt", "unique",
    "http", "https",
  ]

  /// M15: every prefix of ImageMagick is the beginning of a plain file name, which is not found.
  @Test func `prefixes of ImageMagick mean nothing`() throws {
    let site = try TestSite()
    try site.paint("red.png", .red)
    let canary = site.folder.path(of: "canary")
    try site.folder.write("canary", to: "canary")
    let names = Self.prefixes.flatMap { ["\($0):red.png", "\($0):\(canary)", "\($0):0"] }
    try site.write(names.map { Person($0, $0) })
    let result = try site.build()
    #expect(result.report.users.failed == names.count)
    #expect(Set(result.report.failures.map(\.reason)) == ["source-unreadable"])
    #expect(result.report.counters.sourcesRead == 0 && result.report.counters.decodes == 0)
    #expect(try site.folder.text(of: "canary") == "canary")
    #expect(site.assetFiles().isEmpty)

    // A file that has such a name is that file.
    try site.paint("svg:red.png", .blue)
    #expect(try site.build().report.users.ok == 1)
    #expect(try site.pixels(of: "svg:red.png").center == [0, 0, 255, 255])
  }

  /// I7: files of every type under every name: the bytes decide, the extension changes nothing.
  @Test func `a wrong extension changes nothing`() throws {
    let site = try TestSite()
    let paint = TestPicture.quarters(width: 16, height: 16)
    let pictures = [
      "png": TestPicture.png(width: 16, height: 16, pixel: paint),
      "jpg": TestPicture.jpeg(width: 16, height: 16, pixel: paint),
      "gif": TestPicture.gif(width: 16, height: 16) { paint($1, $2) },
      "webp": TestPicture.webp(width: 16, height: 16, pixel: paint),
    ]
    let extensions = [".png", ".jpg", ".gif", ".webp", ".svg", ".txt", ".PNG", "", ".tar.gz", "."]
    var people: [Person] = []
    for (type, bytes) in pictures.sorted(by: { $0.key < $1.key }) {
      for name in extensions {
        try site.put(bytes, at: "\(type)-file\(name)")
        people.append(Person("\(type)\(name)", "\(type)-file\(name)"))
      }
    }
    try site.write(people)
    let result = try site.build()
    #expect(result.report.users.ok == people.count)
    #expect(result.report.counters.decodes == pictures.count)
    for type in pictures.keys {
      let images = try extensions.map { try site.image(of: "\(type)\($0)").path }
      #expect(Set(images).count == 1)
    }
    // GIF, PNG and WebP lose nothing, so the three are one image.
    #expect(site.assetFiles().count == 2)
  }

  enum Template: String, CaseIterable, Sendable {
    case folder, pipe, huge, unclosed, missingPartial, notText, noFolder
  }

  /// M26: a template that cannot be read or makes no sense: exit 2, and nothing is touched.
  @Test(arguments: Template.allCases)
  func `templates that cannot be used`(kind: Template) throws {
    let site = try TestSite()
    try site.write([Person("a")])
    try site.build()
    let before = try site.snapshot()
    let name = "templates/index.mustache"
    switch kind {
    case .folder: try site.folder.makeFolder(name)
    case .pipe: #expect(unsafe mkfifo(site.folder.path(of: name), 0o600) == 0)
    case .huge: try site.folder.write([UInt8](repeating: 0x20, count: 2 << 20), to: name)
    case .unclosed: try site.folder.write("{{#people}}", to: name)
    case .missingPartial: try site.folder.write("{{>nothing}}", to: name)
    case .notText: try site.folder.write([0x3C, 0xFF, 0xFE, 0x3E], to: name)
    case .noFolder: try site.folder.remove("templates")
    }
    let failure = try site.failure()
    #expect(failure.exitStatus == 2)
    #expect(codes(of: failure).count == 1)
    #expect(try site.snapshot() == before)
  }
}
