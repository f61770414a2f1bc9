/// What a worker of the queue is busy with, for whoever asks where the time went.
package enum WorkKind: Int, CaseIterable, Sendable {
  /// Stamps of the last build, and keys in the index.
  case lookUp
  case gather
  case render
  case assemble
  case publish
}

extension WorkKind {
  /// What the report page calls it; also the end of a class name.
  package var name: String {
    switch self {
    case .lookUp: "look up"
    case .gather: "gather"
    case .render: "render"
    case .assemble: "assemble"
    case .publish: "publish"
    }
  }

  /// What is done then, in a few words.
  package var meaning: String {
    switch self {
    case .lookUp: "comparing stamps, and asking the index what is known"
    case .gather: "reading pictures, hashing them and looking at their structure"
    case .render: "one picture in a worker process: decoding, drawing, encoding"
    case .assemble: "writing pages into memory to learn whether they changed"
    case .publish: "comparing and placing files of the output"
    }
  }
}
