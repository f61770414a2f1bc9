package import Recipes

/// What `sitegen mock` is asked for.
package struct MockOptions: Hashable, Sendable {
  package enum Formats: String, Hashable, Sendable, CaseIterable {
    /// 85 % JPEG, 10 % PNG, 5 % WebP, as people upload them; one JPEG in eight lies on its side.
    case mix
    case jpeg
    case png
    case webp
  }

  package var users: Int
  package var images: Int
  package var seed: UInt64
  /// Nil draws lots among usual sizes.
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
  package static let mostInlineUsers = 1000
  private static let picturesPerFolder = 1000

  /// A site of any size; the same options make the same bytes.
  package static func mock(_ options: MockOptions) -> SampleSite {
    let users = (0..<options.users).lazy.map { user($0, options) }
    var texts: [(path: String, text: String)] = []
    if options.users > mostInlineUsers {
      var table = SampleUser.csvHeader
      for user in users { table += user.csv }
      texts.append(("users.csv", table))
      texts.append(("manifest.yaml", mockManifest(options) + "users: { from: users.csv }\n"))
    } else {
      texts.append(
        (
          "manifest.yaml",
          mockManifest(options) + "users:\n" + users.map(\.yaml).joined()
        ))
    }
    return SampleSite(texts: texts, pictureCount: options.images) { picture($0, options) }
  }

  private static func mockManifest(_ options: MockOptions) -> String {
    """
    # Made by `sitegen mock --users \(options.users) --images \(options.images) --seed \(options.seed)`.
    version: 1
    site: { title: "\(options.users) sample people", description: Drawn by sitegen mock }

    avatars:
      - name: round
        size: 64
        border: { width: 2, color: "#5b5bd6" }

    buttons:
      - { name: primary, normal: "#3e63dd", highlighted: "#3151be", radius: 10 }


    """
  }

  private static func user(_ index: Int, _ options: MockOptions) -> SampleUser {
    var lots = RandomStream(seed: options.seed, stream: UInt64(index) * 2 + 2)
    var user = SampleUser(id: SampleNames.id(index), name: SampleNames.name(index))
    if options.images > 0 { user.avatars = [picturePath(index % options.images, options)] }
    user.background = lots.element(of: Palette.schemes).ground.hex
    user.title = SampleNames.title(lots.index(below: 1 << 20))
    user.tags = [SampleNames.tag(lots.index(below: 1 << 20))]
    return user
  }

  private static func picture(_ index: Int, _ options: MockOptions) -> SamplePicture {
    var lots = pictureLots(index, options)
    let format = format(options, &lots)
    let size = options.size ?? lots.element(of: usualSizes)
    let isTurned = format == .jpeg && options.formats == .mix && lots.chance(0.125)
    return SamplePicture(
      path: picturePath(index, options), portrait: Portrait(seed: lots.next()), size: size,
      format: format, orientation: isTurned ? .quarterTurn : .upright,
      isTransparent: format == .png && lots.chance(0.3))
  }

  private static func pictureLots(_ index: Int, _ options: MockOptions) -> RandomStream {
    RandomStream(seed: options.seed, stream: UInt64(index) * 2 + 1)
  }

  private static func picturePath(_ index: Int, _ options: MockOptions) -> String {
    var lots = pictureLots(index, options)
    let name = "\(padded(index, below: options.images)).\(format(options, &lots).fileExtension)"
    guard options.images > picturesPerFolder else { return "avatars/\(name)" }
    let folders = options.images / picturesPerFolder + 1
    return "avatars/\(padded(index / picturesPerFolder, below: folders))/\(name)"
  }

  /// The first lot of a picture, so that its name can be told without drawing the others.
  private static func format(_ options: MockOptions, _ lots: inout RandomStream) -> OutputFormat {
    let lot = lots.fraction()
    return switch options.formats {
    case .jpeg: .jpeg
    case .png: .png
    case .webp: .webp
    case .mix: lot < 0.85 ? .jpeg : lot < 0.95 ? .png : .webp
    }
  }

  private static func padded(_ index: Int, below count: Int) -> String {
    let digits = String(index)
    return String(repeating: "0", count: max(String(max(count - 1, 0)).count - digits.count, 0))
      + digits
  }

  private static let usualSizes = [
    (400, 400), (512, 512), (512, 512), (640, 480), (480, 640), (800, 800), (1024, 768),
    (900, 1200),
  ].map { PixelSize(width: $0.0, height: $0.1) }
}
