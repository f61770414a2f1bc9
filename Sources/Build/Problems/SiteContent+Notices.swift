import Diagnostics
import Manifest
import Plan
import Recipes

/// What may be wrong with pictures that are shown all the same.
extension SiteContent {
  /// One diagnostic for each kind, of all people whom it concerns.
  var notices: [Diagnostic] {
    let shown = givenPictures
    var looks: [Int: Look?] = [:]
    return Notice.allCases.compactMap { notice in
      guard let severity = manifest.notices[notice] else { return nil }
      if notice == .same { return diagnostic(ofShared: shown, severity) }
      var (first, words, count) = (0, [String](), 0)
      for (user, source) in shown {
        guard let word = remark(notice, on: source, of: user, &looks) else { continue }
        if count == 0 { first = user }
        if count < Self.named { words.append(manifest.users[user].id.quoted + word) }
        count += 1
      }
      if count == 0 { return nil }
      let subject = count == 1 ? "the picture of one person" : "the pictures of \(count) people"
      return diagnostic(
        notice, severity, "\(subject) \(notice.predicate(isOne: count == 1))", words,
        count, of: first)
    }
  }

  /// How many of them are named.
  private static let named = 5

  /// Users with a picture that the manifest gives to them alone, in their order, with its source.
  private var givenPictures: [(user: Int, source: Int)] {
    manifest.users.indices.compactMap { user in
      let assignment = assignment.assignments[user]
      guard let source = assignment.source, sources.sources[source].origin.pixels == .decoded,
        manifest.users[user].avatar(assignment.candidate)?.fallback == nil
      else { return nil }
      return (user, source)
    }
  }

  private func diagnostic(
    _ notice: Notice, _ severity: Diagnostic.Severity, _ message: String, _ words: [String],
    _ count: Int, of user: Int
  ) -> Diagnostic {
    let declared = declaration(of: assignment.assignments[user].candidate, of: user)
    let rest = count > words.count ? ["and \(count - words.count) more"] : []
    return Diagnostic(
      severity, notice.id, message, at: declared.location, path: declared.path,
      note: (words + rest).joined(separator: "; "),
      help: notice.id.advice.map { $0.prefix(1).lowercased() + $0.dropFirst().dropLast() })
  }

  // MARK: One picture

  /// What a style does with pictures.
  private struct Look {
    var frame: Frame
    var showsCorners: Bool
  }

  /// What to say after the user's name; nil where there is nothing to tell.
  private func remark(
    _ notice: Notice, on source: Int, of user: Int, _ looks: inout [Int: Look?]
  ) -> String? {
    let flags = rendered.traits(of: source)?.flags ?? []
    switch notice {
    case .plain: return flags.contains(.plain) ? "" : nil
    case .faceless: return flags.contains(.faceless) ? "" : nil
    case .textless: return flags.contains(.textless) ? "" : nil
    case .round:
      guard flags.contains(.round) else { return nil }
      return self.looks(of: user, source, &looks).contains(where: \.showsCorners) ? "" : nil
    case .small:
      guard let size = sources.sources[source].inspection?.uprightSize else { return nil }
      let boxes = self.looks(of: user, source, &looks).map(\.frame).filter {
        $0.placement(of: size, in: $0.base).shrinkage < 0.999
      }.map(\.base)
      return boxes.max { ($0.width, $0.height) < ($1.width, $1.height) }.map { box in
        " has \(size.width) × \(size.height) pixels for \(box.width) × \(box.height)"
      }
    case .same: return nil
    }
  }

  private func looks(of user: Int, _ source: Int, _ known: inout [Int: Look?]) -> [Look] {
    let person = manifest.users[user]
    return variants.numbers(of: person, sources.sources[source]).compactMap { variant in
      if let look = known[variant] { return look }
      let recipe = variants.images(of: variant, for: sources.sources[source]).first?.recipe
      let look = recipe.map {
        Look(frame: $0.frame, showsCorners: $0.outline != .circle(in: $0.frame.box))
      }
      known[variant] = .some(look)
      return look
    }
  }

  // MARK: Pictures of several people

  private func diagnostic(
    ofShared shown: [(user: Int, source: Int)], _ severity: Diagnostic.Severity
  ) -> Diagnostic? {
    let groups = lookalikes(among: Set(shown.map(\.source)).sorted())
    var counts: [Int: Int] = [:]
    for (_, source) in shown { counts[groups[source] ?? source, default: 0] += 1 }
    let shared = counts.filter { $0.value > 1 }
    if shared.isEmpty { return nil }
    // In the order of their first people.
    var (order, members) = ([Int](), [Int: [Int]]())
    for (user, source) in shown {
      let group = groups[source] ?? source
      guard shared[group] != nil else { continue }
      if members[group] == nil {
        if order.count == Self.named { continue }
        order.append(group)
      }
      if members[group, default: []].count < Self.named { members[group, default: []].append(user) }
    }
    let near = Set(groups.filter { $0.key != $0.value }.values)
    let words = order.map { group in
      let people = members[group, default: []]
      let rest = (shared[group] ?? 0) - people.count
      return people.map { manifest.users[$0].id.quoted }.joined(separator: " = ")
        + (rest > 0 ? " and \(rest) more" : "") + (near.contains(group) ? ", not byte by byte" : "")
    }
    let count = shared.count
    return diagnostic(
      .same, severity,
      "\(count == 1 ? "one picture is" : "\(count) pictures are") shown for "
        + "several people", words, count, of: order.first.flatMap { members[$0]?.first } ?? 0)
  }

  /// Which sources look the same as an earlier one, and which that is.
  ///
  /// Hashes are sorted eight times, each time by another eighth first. Two that differ in seven bits
  /// have an eighth in common, and stand near to each other then. Each is compared with few.
  private func lookalikes(among shown: [Int]) -> [Int: Int] {
    let hashes = shown.compactMap { source in
      rendered.traits(of: source).flatMap { $0.tells ? (source: source, traits: $0) : nil }
    }
    var groups: [Int: Int] = [:]
    func first(of source: Int) -> Int {
      var source = source
      while let next = groups[source], next != source { source = next }
      return source
    }
    for turn in stride(from: UInt64(0), to: 128, by: 16) {
      let sorted = hashes.indices.map { index in
        let traits = hashes[index].traits
        let (bits, turn) = turn < 64 ? (traits.rows, turn) : (traits.columns, turn - 64)
        return (key: bits << turn | (turn == 0 ? 0 : bits >> (64 - turn)), index: index)
      }.sorted { ($0.key, $0.index) < ($1.key, $1.index) }
      for (place, entry) in sorted.enumerated() {
        for other in sorted[(place + 1)...].prefix(32) {
          guard entry.key >> 48 == other.key >> 48 else { break }
          let (one, two) = (hashes[entry.index], hashes[other.index])
          guard one.traits.isNear(two.traits), isShapedAlike(one.source, two.source) else {
            continue
          }
          let (a, b) = (first(of: one.source), first(of: two.source))
          groups[max(a, b)] = min(a, b)
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

extension Notice {
  fileprivate var id: DiagnosticID {
    switch self {
    case .same: .pictureSame
    case .small: .pictureSmall
    case .plain: .picturePlain
    case .round: .pictureRound
    case .faceless: .pictureFaceless
    case .textless: .pictureTextless
    }
  }

  fileprivate func predicate(isOne: Bool) -> String {
    switch self {
    case .same: ""
    case .small:
      isOne ? "has fewer pixels than an image of it" : "have fewer pixels than images of them"
    case .plain: isOne ? "is almost of one colour" : "are almost of one colour"
    case .round: isOne ? "is round already" : "are round already"
    case .faceless: isOne ? "shows no face" : "show no faces"
    case .textless: isOne ? "has text that is not drawn" : "have text that is not drawn"
    }
  }
}
