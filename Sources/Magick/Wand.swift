import CMagickWand

/// The owner of a `MagickWand`; its initializers cannot fail, unlike those of `Canvas`.
@safe struct Wand: ~Copyable {
  let pointer: OpaquePointer

  init() {
    MagickRuntime.requireStarted()
    guard let pointer = unsafe NewMagickWand() else {
      preconditionFailure("out of memory for a wand")
    }
    unsafe self.pointer = unsafe pointer
  }

  init(owning pointer: OpaquePointer) {
    unsafe self.pointer = unsafe pointer
  }

  deinit {
    _ = unsafe DestroyMagickWand(pointer)
  }

  borrowing func check(_ result: MagickBooleanType, _ call: StaticString) throws(MagickError) {
    guard result == MagickFalse else { return }
    throw failure(call)
  }

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

  /// The exception reported by a decoder that succeeded nevertheless.
  var decoderException: MagickError? {
    var severity = UndefinedException
    guard let text = unsafe sitegen_decoder_exception(pointer, &severity) else { return nil }
    defer { _ = unsafe MagickRelinquishMemory(text) }
    return MagickError(
      call: "MagickReadImageBlob", severity: Int(severity.rawValue),
      message: unsafe String(cString: text))
  }
}

package struct MagickError: Error, Hashable, Sendable {
  package let call: String
  /// ImageMagick's severity; 0 for failures without an exception, which are common.
  package let severity: Int
  package let message: String

  package init(call: String, severity: Int = 0, message: String = "") {
    self.call = call
    self.severity = severity
    self.message = message
  }

  package static let policySeverity = 499

  package var isPolicy: Bool { severity == Self.policySeverity }

  var isMissingCoder: Bool { severity == 420 }
}
