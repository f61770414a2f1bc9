import CMagickWand

/// Owns one `MagickWand` and destroys it exactly once.
///
/// Its initialisers cannot fail once the pointer is stored; what may fail is a `Canvas`.
@safe struct Wand: ~Copyable {
  let pointer: OpaquePointer

  /// An empty wand.
  ///
  /// The corresponding C function is `NewMagickWand`.
  init() {
    MagickRuntime.requireStarted()
    unsafe pointer = Self.unwrap(unsafe NewMagickWand())
  }

  /// Takes over a wand that ImageMagick made.
  init(owning pointer: OpaquePointer) {
    unsafe self.pointer = unsafe pointer
  }

  deinit {
    _ = unsafe DestroyMagickWand(pointer)
  }

  /// The only door from a C result to a Swift error.
  borrowing func check(
    _ result: MagickBooleanType, _ call: StaticString
  ) throws(MagickError) {
    guard result == MagickFalse else { return }
    throw failure(call)
  }

  /// Reads and clears the wand's exception.
  ///
  /// The corresponding C functions are `MagickGetException` and `MagickClearException`.
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

  /// ImageMagick returns no wand only when memory has run out, and then nothing can go on.
  private static func unwrap(_ pointer: OpaquePointer?) -> OpaquePointer {
    guard let pointer = unsafe pointer else { preconditionFailure("out of memory for a wand") }
    return unsafe pointer
  }
}
