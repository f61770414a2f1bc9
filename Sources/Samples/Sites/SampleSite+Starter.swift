import Recipes

extension SampleSite {
  /// What `sitegen init` writes: small, complete, with a manifest that explains itself.
  package static let starter = SampleSite(
    texts: [
      (".gitignore", "# Made by `sitegen build`.\n/output/\n/.sitegen/\n"),
      ("content/manifest.yaml", String(decoding: PackageResources.manifest_yaml, as: UTF8.self)),
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
}
