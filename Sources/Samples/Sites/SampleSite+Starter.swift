import Recipes

extension SampleSite {
  /// What `sitegen init` leaves: small, complete, and its manifest explains itself.
  package static let starter = SampleSite(
    people.compactMap { person in
      person.picture.map { picture in
        var picture = picture
        picture.path = "content/" + picture.path
        return picture
      }
    },
    texts: [
      (".gitignore", "# Made by `sitegen build`.\n/output/\n/.sitegen/\n"),
      ("content/manifest.yaml", manifest + people.map(\.user.yaml).joined()),
    ])

  private static let people = [
    SamplePerson(
      "Otter", seed: 25, title: "Gardener", tags: ["founders"],
      comment: "`id` is unique; `name`, `title` and `tags` are shown in the gallery."),
    SamplePerson(
      "Fern", seed: 14, 400, 400, .png, isTransparent: true, title: "Cartographer",
      tags: ["founders"], comment: "A transparent picture stays transparent."),
    SamplePerson(
      "Heron", seed: 1, 960, 540, title: "Engineer", comment: "Any shape will do: it is cropped."),
    SamplePerson(
      "Badger", seed: 35, orientation: .quarterTurn, title: "Carpenter",
      comment: "Turned upright as EXIF says."),
    SamplePerson(
      "Clover", seed: 54, 480, 480, .webp, also: ["avatars/clover-new.jpg"], title: "Botanist",
      comment: "A list of sources: the first that works is taken."),
    SamplePerson(
      "Aspen", background: "#30a46c", title: "Cook",
      comment: "Without a picture, a disc of the background colour."),
  ]

  private static let manifest = """
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

    """
}
