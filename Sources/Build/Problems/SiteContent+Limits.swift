import Diagnostics
import Manifest
import Plan
import Recipes

extension SiteContent {
  /// What is to be said of a style whose images came out larger than it wants; said once.
  func limitDiagnostic(of style: Int) -> Diagnostic? {
    let wanted = manifest.styles[style]
    guard !wanted.maxBytes.isEmpty, !variants.plans[style].picture.isEmpty else { return nil }
    var shown: Set<SlotID> = []
    var images: Set<Asset> = []
    var largest: (image: SiteContent.Record, limit: Int, user: Int)?
    for (user, person) in manifest.users.enumerated()
    where person.styles?.contains(style) ?? true {
      // Many users may have the same picture in the same variant.
      guard let slot = slot(of: user, style: style), shown.insert(slot).inserted else { continue }
      for record in records(of: user, style: style) {
        guard let limit = record.image.recipe.encoding.limit, record.asset.bytes > limit,
          images.insert(record.asset).inserted, record.asset.bytes > largest?.image.asset.bytes ?? 0
        else { continue }
        largest = (record, limit, user)
      }
    }
    guard let largest else { return nil }
    let count = images.count == 1 ? "an image is" : "\(images.count) images are"
    let format = largest.image.image.format.rawValue
    return Diagnostic(
      .warning, .maxBytesMissed, "\(count) larger than `maxBytes` allows",
      at: wanted.limitLocation ?? wanted.declared.location,
      path: "\(wanted.declared.path).maxBytes",
      note: "the largest is a \(format) of \(largest.image.asset.bytes) bytes instead of "
        + "\(largest.limit), of \(manifest.users[largest.user].declared.path) at scale "
        + largest.image.image.scale.plain,
      help: "allow more bytes, or make the style smaller")
  }
}
