/// Many relative paths in one piece of memory, for sweeping over them.
package struct PathList: Sendable {
  /// Each path, followed by a zero byte.
  private(set) var bytes: [UInt8] = []
  /// Where each path starts.
  private(set) var starts: [Int] = []

  package init() {}

  package var count: Int { starts.count }

  package mutating func reserve(paths: Int, bytes: Int) {
    starts.reserveCapacity(paths)
    self.bytes.reserveCapacity(bytes + paths)
  }

  /// Adds a path; one with a zero byte inside becomes the empty path, which no file has.
  package mutating func append(_ path: String) {
    append(contentsOf: path.utf8)
  }

  /// Adds a path; one with a zero byte inside becomes the empty path, which no file has.
  package mutating func append(contentsOf path: some Collection<UInt8>) {
    starts.append(bytes.count)
    if !path.contains(0) { bytes.append(contentsOf: path) }
    bytes.append(0)
  }

  package subscript(index: Int) -> String {
    let end = index + 1 < starts.count ? starts[index + 1] : bytes.count
    return String(decoding: bytes[starts[index]..<(end - 1)], as: UTF8.self)
  }
}
