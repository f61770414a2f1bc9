import Glibc

/// A system call that failed: what was tried, on which path, and the error number.
package struct FileError: Error, Hashable, Sendable {
  /// What an error number means to us.
  package enum Reason: Hashable, Sendable {
    case notFound
    /// The name, or a link on its way, leaves the folder.
    case outside
    /// A link that leads to itself, too many links, or a link where none may be.
    case linked
    /// A folder, a pipe, a socket, a device, or a file that the kernel makes up (`/proc`).
    case notRegular
    case denied
    /// Empty, too long, with a zero byte, or without a last part.
    case badName
    case tooLarge
    /// The disk or the quota.
    case full
    /// Belongs to another user.
    case foreign
    case other
  }

  /// The verb a person would use: `open`, `read`, `rename`.
  package let operation: String
  package let path: String
  package let code: Int32
  package let reason: Reason

  /// Without `reason`, the code decides.
  package init(_ operation: String, path: String, code: Int32, reason: Reason? = nil) {
    (self.operation, self.path, self.code) = (operation, path, code)
    self.reason = reason ?? Reason(code: code)
  }

  package var message: String { "cannot \(operation) \(path): \(explanation)" }

  /// The cause, in lower case: `no such file or directory`.
  package var explanation: String {
    switch reason {
    case .outside: "it is outside the folder"
    case .notRegular: "not a regular file"
    case .tooLarge: "it is too large"
    case .foreign: "it belongs to another user"
    default: FileError.text(of: code)
    }
  }

  private static func text(of code: Int32) -> String {
    guard let text = unsafe strerror(code) else { return "error \(code)" }
    // glibc keeps the text per thread, and it is copied before anything else is called.
    let message = unsafe String(cString: text)
    return message.prefix(1).lowercased() + message.dropFirst()
  }
}

extension FileError.Reason {
  init(code: Int32) {
    switch code {
    case ENOENT, ENOTDIR: self = .notFound
    case ELOOP: self = .linked
    case EISDIR, ENXIO, ENODEV: self = .notRegular
    case EACCES, EPERM, EROFS: self = .denied
    case ENAMETOOLONG: self = .badName
    case EFBIG: self = .tooLarge
    case ENOSPC, EDQUOT: self = .full
    default: self = .other
    }
  }
}

/// The result, or nil if it fails since something is missing.
package func unlessMissing<Result: ~Copyable>(
  _ body: () throws(FileError) -> Result
) throws(FileError) -> Result? {
  do throws(FileError) {
    return try body()
  } catch  where error.reason == .notFound {
    return nil
  }
}

/// The only place where a C result becomes a Swift error; an interrupted call is retried.
@discardableResult
func call<Result: SignedInteger>(
  _ operation: String, _ path: @autoclosure () -> String, _ body: () -> Result
) throws(FileError) -> Result {
  while true {
    let result = body()
    if result >= 0 { return result }
    let code = errno
    if code != EINTR { throw FileError(operation, path: path(), code: code) }
  }
}
