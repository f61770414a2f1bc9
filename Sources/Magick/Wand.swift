import CMagickWand

/// Owns one `MagickWand` and destroys it exactly once.
///
/// Its initialisers do not fail; those of `Canvas` may.
@safe struct Wand: ~Copyable {
  let pointer: OpaquePointer

  /// An empty wand.
  init() {
    MagickRuntime.requireStarted()
    guard let pointer = unsafe NewMagickWand() else {
      preconditionFailure("out of memory for a wand")
    }
    unsafe self.pointer = unsafe pointer
  }

  /// Takes over a wand that ImageMagick made.
  init(owning pointer: OpaquePointer) {
    unsafe self.pointer = unsafe pointer
  }

  deinit {
    _ = unsafe DestroyMagickWand(pointer)
  }

  /// Throws the wand's exception if a call failed; every C result becomes a Swift error here.
  borrowing func check(
    _ result: MagickBooleanType, _ call: StaticString
  ) throws(MagickError) {
    guard result == MagickFalse else { return }
    throw failure(call)
  }

  /// Reads and clears the wand's exception.
  borrowing func failure(_ call: StaticString) -> MagickError {
    var severity = UndefinedException
    var message = ""
    if let text = unsafe MagickGetException(pointer, &severity) {
      unsafe message = String(cString: text)
      _ = unsafe MagickRelinquishMemory(text)
    }
    _ = unsafe MagickClearException(pointer)
    return MagickError(
      call: String(describing: call), severity: Int(severity.rawValue), message: message)
  }

  /// What a decoder said that did not fail.
  var decoderException: MagickError? {
    var severity = UndefinedException
    guard let text = unsafe sitegen_decoder_exception(pointer, &severity) else { return nil }
    defer { _ = unsafe MagickRelinquishMemory(text) }
    return MagickError(
      call: "MagickReadImageBlob", severity: Int(severity.rawValue),
      message: unsafe String(cString: text))
  }
}

/// A call that ImageMagick refused, in its own words where it has any.
package struct MagickError: Error, Hashable, Sendable {
  /// The C function that failed.
  package let call: String
  /// ImageMagick's number; 0 when it failed without an exception, which it often does.
  package let severity: Int
  /// Empty when ImageMagick gave no reason.
  package let message: String

  package init(call: String, severity: Int = 0, message: String = "") {
    self.call = call
    self.severity = severity
    self.message = message
  }

  /// The severity by which a security policy refuses.
  package static let policySeverity = 499

  package var isPolicy: Bool { severity == Self.policySeverity }

  /// Whether there is no coder of that name.
  var isMissingCoder: Bool { severity == 420 }
}
