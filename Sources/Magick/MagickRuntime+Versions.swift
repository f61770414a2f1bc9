import CMagickWand

extension MagickRuntime {
  /// What ImageMagick says about itself and the libraries that it was built with.
  ///
  /// The corresponding C functions are `MagickGetVersion`, `MagickGetQuantumDepth` and
  /// `GetMagickInfo`.
  package static var versions: [String] {
    var number = 0
    var depth = 0
    var versions = [
      unsafe String(cString: MagickGetVersion(&number)),
      unsafe String(cString: MagickGetQuantumDepth(&depth)),
    ]
    var exception = unsafe ExceptionInfo()
    unsafe GetExceptionInfo(&exception)
    for coder in Policy.coders {
      // A pointer into ImageMagick's own table, which lives as long as the process.
      guard let info = unsafe GetMagickInfo(coder, &exception),
        let version = unsafe info.pointee.version
      else { continue }
      unsafe versions.append("\(coder) \(String(cString: version))")
    }
    _ = unsafe DestroyExceptionInfo(&exception)
    return versions
  }
}
