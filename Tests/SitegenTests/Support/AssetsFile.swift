/// `assets.json` as a program reads it.
struct AssetsFile: Decodable {
  struct Inset: Decodable, Hashable {
    var top: Int
    var right: Int
    var bottom: Int
    var left: Int
  }

  struct Image: Decodable, Hashable {
    var scale: Double
    var format: String
    var path: String
    var width: Int
    var height: Int
    var bytes: Int
    var sha256: String
    var inset: Inset?
    var insets: Inset?
    var quality: Int?
  }

  struct Placeholder: Decodable, Hashable {
    var color: String
    var thumbhash: String
  }

  struct User: Decodable {
    var name: String
    var status: String
    var source: String?
    var sourceIndex: Int?
    var sourceSHA256: String?
    var reason: String?
    var avatars: [String: [Image]]
    var placeholder: Placeholder?
  }

  struct State: Decodable {
    var color: String
    var contrast: Double?
    var images: [Image]
  }

  var version: Int
  var users: [String: User]
  var buttons: [String: [String: [String: State]]]

  /// Every image that a user has.
  var images: [Image] {
    users.values.flatMap { $0.avatars.values.joined() }
  }
}
