import Build

extension Engine {
  /// The stages themselves.
  package static let standard = Engine(
    build: { (options, cancellation, progress) throws(BuildFailure) in
      try Build(options, cancellation: cancellation, progress: progress).run()
    },
    check: { (options, cancellation) throws(BuildFailure) in
      try Check(options, cancellation: cancellation).run()
    },
    clean: { (options) throws(BuildFailure) in
      // Whoever asks for it wants the space; other runs may begin before it is there.
      try Clean(options).run().finish()
    })
}
