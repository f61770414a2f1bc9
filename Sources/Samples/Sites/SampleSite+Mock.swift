package import Recipes

/// What `sitegen mock` is asked for.
package struct MockOptions: Hashable, Sendable {
  package enum Formats: String, Hashable, Sendable, CaseIterable {
    /// 85 % JPEG, 10 % PNG, 5 % WebP, as people upload them; one JPEG in eight lies on its side.
    case mix
    case jpeg, png, webp
  }

  package var users: Int
  package var images: Int
  package var seed: UInt64
  /// Nil mixes the usual sizes.
  package var size: PixelSize?
  package var formats: Formats

  package init(
    users: Int, images: Int, seed: UInt64, size: PixelSize? = nil, formats: Formats = .mix
  ) {
    precondition(images >= 0 && images <= users, "every picture has a user")
    self.users = users
    self.images = images
    self.seed = seed
    self.size = size
    self.formats = formats
  }
}

extension SampleSite {
  /// Longer lists of users go to a file of their own, as in real directories.
  private static let mostInlineUsers = 1000
  private static let picturesPerFolder = 1000

  /// A site of any size; the same options make the same bytes.
  package static func mock(_ options: MockOptions) -> SampleSite {
    let users = (0..<options.users).lazy.map { user($0, options) }
    let start = mockManifest(options)
    let texts =
      if options.users > mostInlineUsers {
        [
          (path: "users.csv", text: users.reduce(into: SampleUser.csvHeader) { $0 += $1.csv }),
          (path: "manifest.yaml", text: start + "users: { from: users.csv }\n"),
        ]
      } else {
        [(path: "manifest.yaml", text: start + "users:\n" + users.map(\.yaml).joined())]
      }
    return SampleSite(texts: texts, pictureCount: options.images) { picture($0, options) }
  }

  private static func mockManifest(_ options: MockOptions) -> String {
    """
    # Made by `sitegen mock --users \(options.users) --images \(options.images) --seed \(options.seed)`.
    version: 1
    site: { title: "\(options.users) sample people", description: Drawn by sitegen mock }
    notices: off              # drawn pictures are alike

    avatars:
      - name: round
        size: 64
        border: { width: 2, color: "#5b5bd6" }

    buttons:
      - { name: primary, normal: "#3e63dd", highlighted: "#3151be", radius: 10 }


    """
  }

  private static func user(_ index: Int, _ options: MockOptions) -> SampleUser {
    var random = RandomStream(seed: options.seed, stream: UInt64(index) * 2 + 2)
    return SampleUser(
      id: SampleNames.id(index), name: SampleNames.name(index),
      avatar: options.images > 0 ? picturePath(index % options.images, options) : nil,
      background: random.element(of: ColorScheme.all).ground.css,
      title: SampleNames.title(random.index(below: 1 << 20)),
      tag: SampleNames.tag(random.index(below: 1 << 20)))
  }

  private static func picture(_ index: Int, _ options: MockOptions) -> SamplePicture {
    var random = pictureStream(index, options)
    let format = format(options, &random)
    let size = options.size ?? random.element(of: usualSizes)
    let isTurned = format == .jpeg && options.formats == .mix && random.chance(0.125)
    return SamplePicture(
      path: picturePath(index, options), portrait: Portrait(seed: random.next()), size: size,
      format: format, isTransparent: format == .png && random.chance(0.3),
      liesOnItsSide: isTurned)
  }

  private static func pictureStream(_ index: Int, _ options: MockOptions) -> RandomStream {
    RandomStream(seed: options.seed, stream: UInt64(index) * 2 + 1)
  }

  private static func picturePath(_ index: Int, _ options: MockOptions) -> String {
    var random = pictureStream(index, options)
    let name = "\(padded(index, below: options.images)).\(format(options, &random).fileExtension)"
    guard options.images > picturesPerFolder else { return "avatars/\(name)" }
    let folders = options.images / picturesPerFolder + 1
    return "avatars/\(padded(index / picturesPerFolder, below: folders))/\(name)"
  }

  /// The first number of a picture's stream, so that its name is known without the others.
  private static func format(
    _ options: MockOptions, _ random: inout RandomStream
  ) -> OutputFormat {
    let share = random.fraction()
    return switch options.formats {
    case .jpeg: .jpeg
    case .png: .png
    case .webp: .webp
    case .mix: share < 0.85 ? .jpeg : share < 0.95 ? .png : .webp
    }
  }

  private static func padded(_ index: Int, below count: Int) -> String {
    let missing = String(max(count - 1, 0)).count - String(index).count
    return String(repeating: "0", count: max(missing, 0)) + String(index)
  }

  private static let usualSizes = [
    (400, 400), (512, 512), (512, 512), (640, 480), (480, 640), (800, 800), (1024, 768),
    (900, 1200),
  ].map { PixelSize(width: $0.0, height: $0.1) }
}
