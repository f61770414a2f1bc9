import Foundation

/// One message to pages, as it goes over the wire.
struct LiveMessage: Sendable {
  /// Beyond so many paths, a page that looks at itself is quicker than one that looks for them.
  static let pathLimit = 1000

  /// `data: {…}`, ended by an empty line.
  let bytes: [UInt8]

  init(_ event: LiveEvent, revision: Int) {
    switch event {
    case .swapped(let images): self.init(Swapped(revision: revision, images: images))
    case .changed(let paths):
      let isFew = (paths?.count ?? 0) <= LiveMessage.pathLimit
      self.init(Changed(revision: revision, paths: isFew ? paths : nil))
    case .failed(let problems):
      self.init(Problems(type: "failed", revision: revision, problems: problems))
    case .mended: self.init(Mended(revision: revision))
    }
  }

  static func hello(revision: Int, problems: [LiveProblem]) -> LiveMessage {
    LiveMessage(Problems(type: "hello", revision: revision, problems: problems))
  }

  private init(_ value: some Encodable) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Numbers and strings only: there is nothing that could fail. JSON has no line ends inside.
    let json = (try? encoder.encode(value)) ?? Data("{}".utf8)
    bytes = Array("data: ".utf8) + json + Array("\n\n".utf8)
  }

  private struct Swapped: Encodable {
    var type = "swapped"
    let revision: Int
    let images: [String: String]
  }

  private struct Changed: Encodable {
    let revision: Int
    /// Nil says anything, which is written down as `null`.
    let paths: [String]?

    private enum Key: CodingKey { case type, revision, paths }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode("changed", forKey: .type)
      try container.encode(revision, forKey: .revision)
      try container.encode(paths, forKey: .paths)
    }
  }

  private struct Problems: Encodable {
    let type: String
    let revision: Int
    let problems: [LiveProblem]
  }

  private struct Mended: Encodable {
    var type = "mended"
    let revision: Int
  }
}
