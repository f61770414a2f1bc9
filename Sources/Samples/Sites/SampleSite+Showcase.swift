import Recipes

extension SampleSite {
  /// The demonstration: every kind of picture that people bring, and every way to have none.
  package static let showcase = SampleSite(
    Showcase.people.compactMap(\.picture),
    texts: [("manifest.yaml", Showcase.manifest + Showcase.people.map(\.user.yaml).joined())])

  init(_ pictures: [SamplePicture], texts: [(path: String, text: String)]) {
    self.init(texts: texts, pictureCount: pictures.count) { pictures[$0] }
  }
}

/// A sample user with the picture that is drawn for it.
struct SamplePerson {
  var user: SampleUser
  var picture: SamplePicture?

  /// A person whose picture is named after the id.
  init(
    _ name: String, seed: UInt64, _ width: Int = 512, _ height: Int = 512,
    _ format: OutputFormat = .jpeg, orientation: Orientation = .upright,
    isTransparent: Bool = false, isGrey: Bool = false, also others: [String] = [],
    title: String, tags: [String] = [], focus: String? = nil, decorations: [String] = [],
    comment: String? = nil
  ) {
    let id = name.lowercased()
    let path = "avatars/\(id).\(format.fileExtension)"
    picture = SamplePicture(
      path: path, portrait: Portrait(seed: seed), size: PixelSize(width: width, height: height),
      format: format, orientation: orientation, isTransparent: isTransparent, isGrey: isGrey)
    user = SampleUser(
      id: id, name: "Sample \(name)", avatars: others + [path], title: title, tags: tags,
      focus: focus, decorations: decorations, comment: comment)
  }

  /// A person without a picture of their own.
  init(
    _ name: String, avatars: [String] = [], background: String? = nil, title: String,
    tags: [String] = [], decorations: [String] = [], comment: String? = nil
  ) {
    self.init(
      id: name.lowercased(), name: "Sample \(name)", avatars: avatars, background: background,
      title: title, tags: tags, decorations: decorations, comment: comment)
  }

  /// A person without a picture of their own, whose name does not begin with "Sample".
  init(
    id: String, name: String, avatars: [String], background: String? = nil, title: String,
    tags: [String] = [], decorations: [String] = [], comment: String? = nil
  ) {
    user = SampleUser(
      id: id, name: name, avatars: avatars, background: background, title: title, tags: tags,
      decorations: decorations, comment: comment)
  }
}

private enum Showcase {
  static let manifest = """
    # The demonstration that `sitegen build` makes a gallery of. Nobody in it exists: script/samples
    # drew every picture, and this file. docs/manifest.md explains every key.
    version: 1
    site:
      title: Sample people
      description: Drawn by sitegen itself, to show what it does
      language: en
    pages: { people: true, cards: true, feed: true }

    avatars:
      - name: round
        size: 64
        shape: circle
        border: { width: 2, color: "#5b5bd6" }
        decorations:
          - { name: online, dot: "#30a46c", size: 16, gap: 2 }
      - name: tile
        size: 80
        shape: continuous
        radius: 28%
        focus: [50%, 40%]
        background: "#e4e4ec"
        underlay: true
      - name: story
        size: 56
        shape: circle
        border:
          width: 3
          gap: 2
          mode: outside
          gradient: { kind: conic, colors: ["#5b5bd6", "#d6409f", "#f2a33a", "#30a46c", "#5b5bd6"] }
      - name: capsule
        size: [112, 64]
        shape: circle
        focus: smart
        border: { width: 3, color: "#f2a33a", mode: inset, allowNonSquare: true }

    buttons:
      - name: primary
        normal: "#3e63dd"
        highlighted: auto
        disabled: "#3e63dd59"
        dark: { normal: "#4263eb", highlighted: "#3b5bdb" }
        title: "#ffffff"
        radius: 10
      - name: secondary
        normal: "#e4e4ec"
        highlighted: auto
        dark: { normal: "#c9c9d6", highlighted: auto }
        title: "#2c4bb8"
        radius: 10
        border: { width: 1, color: "#c2c2d0" }
      - name: success
        normal: "#1f7a4d"
        highlighted: "#17623d"
        title: "#ffffff"
        radius: 22
      - name: danger
        normal: "#ce2c31"
        highlighted: "#b0262b"
        dark: { normal: "#d13438", highlighted: "#c22a2f" }
        title: "#ffffff"
        radius: 10

    users:

    """

  static let people: [SamplePerson] = [
    SamplePerson(
      "Otter", seed: 25, title: "Gardener", tags: ["founders"], decorations: ["online"],
      comment: "A dot says who is there."),
    SamplePerson(
      "Fern", seed: 14, 400, 400, .png, isTransparent: true, title: "Cartographer",
      tags: ["founders", "design"], comment: "A transparent picture."),
    SamplePerson(
      "Heron", seed: 1, 960, 540, title: "Engineer", tags: ["workshop"], decorations: ["online"],
      comment: "A landscape."),
    SamplePerson(
      "Maple", seed: 26, 480, 800, title: "Baker", tags: ["office"], focus: "[50%, 45%]",
      comment: "A tall one; the capsule would find the overalls, so its focus is pinned."),
    SamplePerson(
      "Badger", seed: 35, orientation: .quarterTurn, title: "Carpenter", tags: ["workshop"],
      comment: "Lies on its side; EXIF says how to turn it."),
    SamplePerson(
      "Clover", seed: 54, 480, 480, .webp, title: "Botanist", tags: ["field"],
      decorations: ["online"]),
    SamplePerson(
      "Finch", seed: 12, 40, 40, .png, title: "Librarian", tags: ["office"],
      comment: "Tiny, so it is enlarged."),
    SamplePerson(
      "Juniper", seed: 4, isGrey: true, title: "Astronomer", tags: ["research"],
      comment: "Black and white."),
    SamplePerson(
      "Lynx", seed: 33, 640, 480, orientation: .threeQuarterTurn, title: "Sailor",
      tags: ["field"], comment: "Lies on its other side."),
    SamplePerson("Willow", seed: 56, 320, 320, .png, title: "Bookbinder", tags: ["workshop"]),
    SamplePerson(
      "Puffin", seed: 60, 720, 480, .webp, title: "Translator", tags: ["office"],
      decorations: ["online"]),
    SamplePerson(
      "Sorrel", avatars: ["avatars/sorrel.jpg"], background: "#d6409f", title: "Potter",
      tags: ["workshop"], comment: "The picture is missing; the colour stands in."),
    SamplePerson("Marten", seed: 43, title: "Teacher", tags: ["office"]),
    SamplePerson(
      "Rowan", seed: 5, title: "Beekeeper", tags: ["field"], comment: "Shares one picture…"),
    SamplePerson(
      "Plover", avatars: ["avatars/rowan.jpg"], title: "Beekeeper", tags: ["field"],
      comment: "…with this one: it is rendered once."),
    SamplePerson(
      "Aspen", background: "#30a46c", title: "Cook", tags: ["office"],
      comment: "No picture at all, only a colour."),
    SamplePerson(
      "Hedgehog", seed: 48, also: ["avatars/hedgehog-2019.jpg"], title: "Designer",
      tags: ["design"], comment: "Two sources: the first that works is taken."),
    SamplePerson(
      "Bramble", avatars: ["initials"], title: "Newcomer", decorations: ["online"],
      comment: "No picture yet: letters, on a colour that the id decides."),
    SamplePerson(
      id: "mihon", name: "見本 太郎", avatars: ["initials"], background: "#8e4ec6",
      title: "Newcomer", comment: "A sample too, says the name; one letter is as wide as two."),
    SamplePerson(
      "Lapwing", avatars: ["identicon"], title: "Newcomer",
      comment: "A pattern that the id decides."),
    SamplePerson(
      "Nettle", title: "Newcomer", comment: "Neither picture nor colour: listed without one."),
    SamplePerson(
      "Kestrel", seed: 28, 440, 440, .webp, isTransparent: true, title: "Engineer",
      tags: ["research"]),
    SamplePerson("Thistle", seed: 8, title: "Librarian", tags: ["office"]),
    SamplePerson("Dormouse", seed: 17, 64, 64, title: "Gardener", tags: ["field"]),
    SamplePerson(
      "Alder", seed: 58, orientation: .upsideDown, title: "Carpenter", tags: ["workshop"],
      comment: "Upside down, says EXIF."),
    SamplePerson(
      "Magpie", seed: 40, 400, 900, title: "Astronomer", tags: ["research"],
      decorations: ["online"], comment: "Very tall: the capsule looks for what matters."),
    SamplePerson(
      "Yarrow", avatars: ["color:#8e4ec6"], title: "Botanist", tags: ["field"],
      comment: "A plain colour as the picture."),
    SamplePerson("Stoat", seed: 59, title: "Sailor", tags: ["field"]),
    SamplePerson("Hazel", seed: 44, 600, 600, .webp, title: "Designer", tags: ["design"]),
    SamplePerson("Curlew", seed: 7, title: "Baker", tags: ["office"]),
    SamplePerson("Beaver", seed: 6, 800, 600, title: "Engineer", tags: ["workshop"]),
  ]
}
