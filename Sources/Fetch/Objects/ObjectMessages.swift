import Bytes
package import Files
package import Foundation

/// The one place that a process that keeps objects may ask, and how.
package struct ObjectOrigin: Hashable, Sendable, Codable {
  package enum Access: Hashable, Sendable, Codable {
    /// `wantsKey`: whether a key could be given as Amazon gives them.
    case open(wantsKey: Bool)
    case bearer(String)
    /// As Amazon signs requests.
    case signed(key: String, secret: String, session: String?, region: String)
  }

  /// With all that stands in front of an object's name, without a slash at its end.
  package var url: String
  package var access = Access.open(wantsKey: false)
  /// For one object with all retries.
  package var time: Duration
  /// Bytes of the largest object; a larger one is none.
  package var bytes: Int
  package var userAgent = "sitegen"
  /// A file of certificates to trust instead of the system's.
  package var certificates: String?

  package init(_ url: String, time: Duration, bytes: Int) {
    self.url = url
    self.time = time
    self.bytes = bytes
  }
}

/// What is asked about one object.
package struct ObjectRequest: Hashable, Sendable, Codable {
  package enum Verb: String, Sendable, Codable { case get, has, put }

  package var verb: Verb
  /// `ac/` or `cas/`, and 64 hexadecimal digits.
  package var name: String

  package init(_ verb: Verb, _ name: String) {
    self.verb = verb
    self.name = name
  }
}

/// What the build tells the process that keeps objects.
package enum ObjectCommand: Codable, Sendable {
  /// Once, before anything else.
  case origin(ObjectOrigin)
  /// The payload is a piece of a body.
  case piece(Int)
  /// The payload is the rest of the body.
  case ask(Int, ObjectRequest)
  /// Asks which layers of the jail hold.
  case jail(Int)
}

/// What it answers, by the number of what was asked.
package enum ObjectEvent: Codable, Sendable {
  /// The payload is a piece of an object.
  case piece(Int)
  /// The payload is the rest of the object; for `has` and `put`, nothing.
  case done(Int)
  case none(Int)
  case failed(Int, String, isLasting: Bool)
  case jail(Int, Jail)
}

extension ObjectEvent: FetcherAnswer {
  var isSound: Bool {
    guard case .failed(_, let words, _) = self else { return true }
    return words.utf8.count <= 1_000 && words.isPlain
  }
}

/// What came of a request for an object.
package enum ObjectAnswer: Sendable {
  case done(Data)
  case none
  /// Only where that was asked.
  case jail(Jail)
  /// If it `isLasting`, asking again brings the same.
  case failed(String, isLasting: Bool)
}
