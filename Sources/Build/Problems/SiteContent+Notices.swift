import Diagnostics
import Manifest
import Plan
import Recipes

/// Checks for pictures that are usable but look wrong.
extension SiteContent {
  private typealias Given = (user: Int, source: Int)
  private typealias Finding = (message: String, names: [String], count: Int, user: Int)

  private static let named = 5

  var notices: [Diagnostic] {
    let given = givenPictures
    return Notice.allCases.compactMap { notice in
      guard let severity = manifest.notices[notice],
        let (message, names, count, user) =
          notice == .same ? sharedPictures(given) : affectedPeople(notice, given)
      else { return nil }
      let declared = declaration(of: assignments[user].candidate, of: user)
      let rest = count > names.count ? ["and \(count - names.count) more"] : []
      let id = "picture-\(notice.rawValue)"
      return Diagnostic(
        severity, id, message, at: declared.location, path: declared.path,
        note: (names + rest).joined(separator: "; "),
        help: DiagnosticID.help(for: id))
    }
  }

  /// The users who are shown with a picture from their own list, each with the picture's source.
  private var givenPictures: [Given] {
    manifest.users.indices.compactMap { user in
      let assignment = assignments[user]
      let avatars = manifest.users[user].avatars
      guard let source = assignment.source, !sources.sources[source].isDrawn,
        assignment.candidate >= avatars.count || avatars[assignment.candidate].fallback == nil
      else { return nil }
      return (user, source)
    }
  }

  private func affectedPeople(_ notice: Notice, _ given: [Given]) -> Finding? {
    let remarks = given.compactMap { user, source in
      remark(notice, on: source, of: user).map { (user: user, text: $0) }
    }
    guard let first = remarks.first else { return nil }
    let isOne = remarks.count == 1
    let subject = isOne ? "the picture of one person" : "the pictures of \(remarks.count) people"
    let predicate =
      switch notice {
      case .small:
        isOne
          ? "has fewer pixels than the images rendered from it"
          : "have fewer pixels than the images rendered from them"
      case .faceless: isOne ? "shows no face" : "show no faces"
      case .truncated:
        isOne
          ? "is incomplete because its file ends early"
          : "are incomplete because their files end early"
      case .unterminated: isOne ? "lacks its end marker" : "lack their end markers"
      default: isOne ? "contains text that is not drawn" : "contain text that is not drawn"
      }
    let names = remarks.prefix(Self.named).map { manifest.users[$0.user].id.quoted + $0.text }
    return ("\(subject) \(predicate)", names, remarks.count, first.user)
  }

  /// Returns the text to print after a user's id, or nil if the picture is fine.
  private func remark(_ notice: Notice, on source: Int, of user: Int) -> String? {
    let flags = traits[source]?.traits.flags ?? []
    switch notice {
    case .faceless: return flags.contains(.noFaceFound) ? "" : nil
    case .textless: return flags.contains(.textIgnored) ? "" : nil
    case .truncated: return flags.contains(.truncated) ? "" : nil
    case .unterminated:
      let isCut = sources.sources[source].inspection?.isCut == true
      return isCut && !flags.contains(.truncated) ? "" : nil
    case .small:
      let picture = sources.sources[source]
      guard let size = picture.inspection?.uprightSize else { return nil }
      let boxes = variants.known(of: manifest.users[user], picture).compactMap { variant in
        variants.images(of: variant, for: picture).first.map(\.recipe.frame)
      }.filter { $0.placement(of: size, in: $0.base).shrinkage < 0.999 }.map { frame in
        let (base, zoom) = (frame.base, frame.zoom ?? 1)
        return PixelSize(
          width: Int((Double(base.width) * zoom).rounded(.up)),
          height: Int((Double(base.height) * zoom).rounded(.up)))
      }
      return boxes.max { ($0.width, $0.height) < ($1.width, $1.height) }.map { box in
        " is \(size.width) × \(size.height) pixels, but needs \(box.width) × \(box.height)"
      }
    default: return nil
    }
  }

  private func sharedPictures(_ given: [Given]) -> Finding? {
    let groups = lookalikes(among: Set(given.map(\.source)).sorted())
    let shared = Dictionary(grouping: given) { groups[$0.source] ?? $0.source }
      .filter { $0.value.count > 1 }.sorted { $0.value[0].user < $1.value[0].user }
    guard let first = shared.first else { return nil }
    let near = Set(groups.filter { $0.key != $0.value }.values)
    let names = shared.prefix(Self.named).map { group, people in
      let rest = people.count - Self.named
      let ids = people.prefix(Self.named).map { manifest.users[$0.user].id.quoted }
      let similar = near.contains(group) ? ", similar but not identical" : ""
      return ids.joined(separator: " = ") + (rest > 0 ? " and \(rest) more" : "") + similar
    }
    let subject = shared.count == 1 ? "one picture is" : "\(shared.count) pictures are"
    return ("\(subject) shown for several people", names, shared.count, first.value[0].user)
  }

  /// Maps each source to an earlier source that looks the same, if there is one.
  ///
  /// Hashes are split into eight parts. If two hashes differ in at most seven bits, at least one
  /// part is identical, so only hashes that share a part are compared.
  private func lookalikes(among shown: [Int]) -> [Int: Int] {
    let hashes = shown.compactMap { source in
      traits[source].flatMap { $0.traits.isDistinctive ? (source: source, traits: $0.traits) : nil }
    }
    var groups: [Int: Int] = [:]
    func first(of source: Int) -> Int {
      var source = source
      while let next = groups[source], next != source { source = next }
      return source
    }
    for eighth in UInt64(0)..<8 {
      let buckets = Dictionary(grouping: hashes) { hash in
        (eighth < 4 ? hash.traits.rows : hash.traits.columns) >> (eighth % 4 * 16) & 0xFFFF
      }
      for bucket in buckets.values {
        for (place, one) in bucket.enumerated() {
          for two in bucket[(place + 1)...].prefix(32)
          where one.traits.isNear(two.traits) && isShapedAlike(one.source, two.source) {
            let (a, b) = (first(of: one.source), first(of: two.source))
            groups[max(a, b)] = min(a, b)
          }
        }
      }
    }
    for source in groups.keys { groups[source] = first(of: source) }
    return groups
  }

  private func isShapedAlike(_ one: Int, _ two: Int) -> Bool {
    guard let one = sources.sources[one].inspection?.uprightSize,
      let two = sources.sources[two].inspection?.uprightSize
    else { return false }
    let (left, right) = (one.width * two.height, two.width * one.height)
    return abs(left - right) * 20 <= max(left, right)
  }
}
