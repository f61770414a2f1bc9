import Foundation

/// What open pages are told.
package enum LiveEvent: Sendable, Hashable {
  /// Images have other addresses now: paths beneath the folder, old to new.
  case swapped([String: String])
  /// Files of the folder were written or removed: their paths, sorted; nil when it may be any.
  case changed([String]?)
  /// The build failed; the folder is as it was.
  case failed([LiveProblem])
  /// Nothing is wrong any more.
  case mended
}

/// One thing that is wrong, for people.
package struct LiveProblem: Sendable, Hashable, Codable {
  /// `error` or `warning`.
  package var severity: String
  /// One line: what is wrong.
  package var message: String
  /// `content/manifest.yaml:3:5`.
  package var place: String?
  /// Why, and what to do: a line each.
  package var details: [String]

  package init(severity: String, message: String, place: String? = nil, details: [String] = []) {
    self.severity = severity
    self.message = message
    self.place = place
    self.details = details
  }
}

/// A message to a page, as JSON.
struct LiveMessage: Encodable {
  let type: String
  let revision: Int
  private(set) var images: [String: String]?
  /// `null` stands for any path.
  private(set) var paths: [String]??
  private(set) var problems: [LiveProblem]?

  /// With more paths, a page that checks itself is quicker than one that searches for them.
  private static let pathLimit = 1000

  /// As a server-sent event: `data: {…}` and an empty line.
  var bytes: [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Texts and whole numbers cannot fail to be encoded. JSON has no line ends inside.
    let json = (try? encoder.encode(self)) ?? Data("{}".utf8)
    return Array("data: ".utf8) + json + Array("\n\n".utf8)
  }
}

extension LiveMessage {
  init(_ event: LiveEvent, revision: Int) {
    switch event {
    case .swapped(let images):
      self.init(type: "swapped", revision: revision, images: images)
    case .changed(let paths):
      let isKnown = (paths?.count ?? 0) <= Self.pathLimit
      self.init(type: "changed", revision: revision, paths: .some(isKnown ? paths : nil))
    case .failed(let problems):
      self.init(type: "failed", revision: revision, problems: problems)
    case .mended:
      self.init(type: "mended", revision: revision)
    }
  }
}
