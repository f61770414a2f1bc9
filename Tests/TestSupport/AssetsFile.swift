package struct AssetsFile: Decodable {
  package struct Inset: Decodable, Hashable {
    package var top: Int
    package var right: Int
    package var bottom: Int
    package var left: Int

    package init(top: Int, right: Int, bottom: Int, left: Int) {
      self.top = top
      self.right = right
      self.bottom = bottom
      self.left = left
    }
  }

  package struct Image: Decodable, Hashable {
    package var scale: Double
    package var format: String
    package var path: String
    package var width: Int
    package var height: Int
    package var bytes: Int
    package var sha256: String
    package var inset: Inset?
    package var insets: Inset?
    package var quality: Int?
  }

  package struct Placeholder: Decodable, Hashable {
    package var color: String
    package var thumbhash: String
  }

  package struct User: Decodable {
    package var name: String
    package var status: String
    package var source: String?
    package var sourceIndex: Int?
    package var sourceSHA256: String?
    package var reason: String?
    package var avatars: [String: [Image]]
    package var placeholder: Placeholder?
  }

  package struct State: Decodable {
    package var color: String
    package var contrast: Double?
    package var images: [Image]
  }

  package var version: Int
  package var users: [String: User]
  package var buttons: [String: [String: [String: State]]]
  package var strips: [String: [Image]]?

  package var images: [Image] { users.values.flatMap { $0.avatars.values.joined() } }
}
