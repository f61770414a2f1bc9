import Bytes

/// The ids that were made of names, and for whom: `.sitegen-ids` in the output.
///
/// Namesakes keep their ids when the list is sorted differently or when one of them leaves. A line has
/// an id, and before it eight bits of a digest of the name and the mail address, or of the whole record
/// without one: enough to tell namesakes apart, too few to find an address by trying.
package struct MadeIDs: Sendable {
  package static let fileName = ".sitegen-ids"
  private static let header = "sitegen-ids 1\n"
  /// By the id, and by the id without its number.
  private var known: [String: [(check: UInt8, id: String)]] = [:]

  /// Reads what a build wrote; other lines are skipped.
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

  /// The ids that people with this name and address have had.
  func ids(of base: String, _ check: UInt8) -> [String] {
    known[base]?.filter { $0.check == check }.map(\.id) ?? []
  }

  /// What distinguishes a person from namesakes.
  static func check(name: String, mail: String?) -> UInt8 {
    let words = "\(Initialism.normalized(name))\n\(mail?.lowercased() ?? "")"
    return UInt8(truncatingIfNeeded: Digest(of: words).words.0)
  }

  /// The file for the users of a site; nil if all ids are their own.
  package static func text(of users: [User]) -> String? {
    let lines = users.compactMap { user in
      user.idCheck.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) + " \(user.id)\n" }
    }
    return lines.isEmpty ? nil : header + lines.joined()
  }
}
