import Foundation
import Manifest
import Plan
import Recipes
import Store

extension SiteContent {
  /// The picture of a user for other programs: the largest of the first style that is shown; of
  /// its formats one that everything reads.
  func portrait(of user: Int) -> Record? {
    guard let first = shownStyles(of: user).first else { return nil }
    let records = records(of: user, style: first)
    let order: [OutputFormat] = [.png, .jpeg, .webp]
    return records.max { left, right in
      (left.asset.width, -(order.firstIndex(of: left.image.format) ?? 0))
        < (right.asset.width, -(order.firstIndex(of: right.image.format) ?? 0))
    }
  }

  /// The page of a user, or where the user stands on a page of people.
  func address(of user: Int, _ site: SiteAddress) -> String {
    let id = manifest.users[user].id
    if manifest.pages.people { return site.of(GalleryPaths.person(id)) }
    return site.of(
      GalleryPaths.people(page: user / manifest.pages.size + 1),
      fragment: GalleryPages.anchor("person", of: id))
  }
}

extension User {
  /// A name for the person that no other has and that never changes: `urn:uuid:…`, which holds the
  /// beginning of a digest of the id (version 8 of RFC 9562).
  var urn: String {
    var bytes = Array(Digest(of: Array("sitegen:person:\(id)".utf8)).bytes.prefix(16))
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    let digits = bytes.map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    let groups = [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }
    return "urn:uuid:" + groups.joined(separator: "-")
  }
}
