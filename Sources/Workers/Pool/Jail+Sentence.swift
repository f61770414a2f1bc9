package import Files

extension Jail {
  /// For people: what holds of a worker, or what this kernel lacks.
  ///
  /// Coders are loaded, the policy is proven, and fonts came over the pipe: all that is left to a
  /// worker is arithmetic between two pipes.
  package var sentence: String {
    let words =
      switch subtracting(.descriptors) {
      case [.systemCalls, .files]: "no files, no network, no programs (seccomp and Landlock)"
      case .systemCalls: "no files, no network, no programs (seccomp; no Landlock here)"
      case .files:
        "no files, no connections (Landlock; no seccomp here, so programs may be started)"
      default:
        "neither seccomp nor Landlock here: a decoder that is taken over may do what you may"
      }
    return contains(.descriptors) ? words : "\(words); descriptors of others may be open"
  }
}
