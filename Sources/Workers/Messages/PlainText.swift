extension String {
  /// Whether it can stand in a message of ours: on one line, without control characters.
  var isPlain: Bool { unicodeScalars.allSatisfy { !$0.breaksLines } }

  /// The words on one line, without control characters.
  var plain: String {
    unicodeScalars.split { $0.breaksLines || $0 == " " }.map { String($0) }
      .joined(separator: " ")
  }
}

extension Unicode.Scalar {
  fileprivate var breaksLines: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
