import Recipes

extension SampleSite {
  /// What `sitegen init` writes: small, complete, with a manifest that explains itself.
  package static let starter = SampleSite(
    texts: [
      (".gitignore", "# Made by `sitegen build`.\n/output/\n/.sitegen/\n"),
      ("content/manifest.yaml", starterManifest),
    ], pictureCount: starterPictures.count
  ) { starterPictures[$0] }

  private static let starterPictures = [
    starterPicture("otter.jpg", seed: 31, 512, 512, .jpeg),
    starterPicture("fern.png", seed: 11, 400, 400, .png, isTransparent: true),
    starterPicture("heron.jpg", seed: 21, 960, 540, .jpeg),
    starterPicture("badger.jpg", seed: 33, 512, 512, .jpeg, liesOnItsSide: true),
    starterPicture("clover.webp", seed: 16, 480, 480, .webp),
  ]

  private static func starterPicture(
    _ name: String, seed: UInt64, _ width: Int, _ height: Int, _ format: OutputFormat,
    isTransparent: Bool = false, liesOnItsSide: Bool = false
  ) -> SamplePicture {
    SamplePicture(
      path: "content/avatars/\(name)", portrait: Portrait(seed: seed),
      size: PixelSize(width: width, height: height), format: format,
      isTransparent: isTransparent, liesOnItsSide: liesOnItsSide)
  }

  private static let starterManifest = """
    # Build it with `sitegen build`, then open output/index.html.
    # Lengths are points: one point is `scale` pixels.

    version: 1                # of this format; required

    site:
      title: Our team         # of the gallery
      description: Who we are
      language: en            # a BCP 47 tag, for screen readers

    avatars:                  # styles; every user's picture is rendered in each of them
      - name: round           # names files and CSS classes: a-z, 0-9, -
        size: 64              # or [width, height]
        scales: [1, 2, 3]     # one file each: 64, 128 and 192 pixels
        shape: circle         # circle | rounded | square
        border:
          width: 2
          color: "#5b5bd6"    # colours begin with #, which YAML wants quoted
          mode: over          # over the picture | inset: the picture ends where the ring begins
        formats: [webp, png]  # webp | png | jpeg, in the order of preference
      - name: tile
        size: 80
        shape: rounded
        radius: 22%           # or points
        focus: [50%, 40%]     # what the crop keeps: across, down
        background: "#e4e4ec"
        underlay: true        # paint the background behind transparent pictures

    buttons:                  # become CSS classes: .btn-primary
      - name: primary
        normal: "#3e63dd"
        highlighted: auto     # a shade of it; or a colour, or same
        dark: { normal: "#4263eb", highlighted: "#3b5bdb" }  # when the viewer prefers dark
        title: "#ffffff"      # the colour of the words
        radius: 10

    users:                    # or a file: { from: users.csv }
      # `id` is unique; `name`, `title` and `tags` are shown in the gallery.
      - id: otter
        name: Sample Otter
        avatar: avatars/otter.jpg
        title: Gardener
        tags: [founders]
      # A transparent picture stays transparent.
      - id: fern
        name: Sample Fern
        avatar: avatars/fern.png
        title: Cartographer
        tags: [founders]
      # Any shape will do: it is cropped.
      - id: heron
        name: Sample Heron
        avatar: avatars/heron.jpg
        title: Engineer
      # Turned upright as EXIF says.
      - id: badger
        name: Sample Badger
        avatar: avatars/badger.jpg
        title: Carpenter
      # A list of sources: the first that works is taken.
      - id: clover
        name: Sample Clover
        avatar: [avatars/clover-new.jpg, avatars/clover.webp]
        title: Botanist
      # Without a picture, a disc of the background colour.
      - id: aspen
        name: Sample Aspen
        background: "#30a46c"
        title: Cook

    """
}
