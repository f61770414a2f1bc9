import Bytes

/// Ids that earlier builds derived from names, stored in `.sitegen-ids` in the output.
///
/// The file keeps namesakes' ids stable when the list changes. Each line contains an id and an
/// 8-bit hash of the person's data. A hash this short cannot reveal an email address.
package struct MadeIDs: Sendable {
  package static let fileName = ".sitegen-ids"
  private static let header = "sitegen-ids 1\n"
  /// Check values and ids, keyed by id; an id such as `ada-2` is also stored under `ada`.
  private var known: [String: [(check: UInt8, id: String)]] = [:]

  package init(parsing text: String = "") {
    guard text.hasPrefix(Self.header) else { return }
    for line in text.dropFirst(Self.header.count).split(separator: "\n") {
      guard let check = UInt8(line.prefix(2), radix: 16), line.dropFirst(2).first == " " else {
        continue
      }
      let id = String(line.dropFirst(3))
      known[id, default: []].append((check, id))
      if let dash = id.lastIndex(of: "-"), Int(id[dash...].dropFirst()) != nil {
        known[String(id[..<dash]), default: []].append((check, id))
      }
    }
  }

  func ids(of base: String, _ check: UInt8) -> [String] {
    known[base]?.filter { $0.check == check }.map(\.id) ?? []
  }

  static func check(name: String, mail: String?) -> UInt8 {
    let words = "\(Initialism.normalized(name))\n\(mail?.lowercased() ?? "")"
    return UInt8(truncatingIfNeeded: Digest(of: words).words.0)
  }

  package static func text(of users: [User]) -> String? {
    let lines = users.compactMap { user in
      user.idCheck.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) + " \(user.id)\n" }
    }
    return lines.isEmpty ? nil : header + lines.joined()
  }
}
