import Glibc

/// A system call that failed, with its error number.
struct SystemFailure: Error {
  let call: String
  let code: Int32

  init(_ call: String, _ code: Int32) {
    self.call = call
    self.code = code
  }

  var text: String { "\(call): \(unsafe String(cString: strerror(code)))" }
}
