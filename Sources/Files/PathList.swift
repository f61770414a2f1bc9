/// Many relative paths in one piece of memory, for `Folder.sweep`.
package struct PathList: Sendable {
  /// Each path, followed by a zero byte.
  private(set) var bytes: [UInt8] = []
  /// Where each path starts.
  private(set) var starts: [Int] = []

  package init() {}

  /// Takes apart what `packed` gave: each path ends with a zero byte.
  package init(packed: [UInt8]) {
    bytes = packed.last == 0 || packed.isEmpty ? packed : packed + [0]
    starts.reserveCapacity(bytes.count / 64)
    var start = 0
    for index in bytes.indices where bytes[index] == 0 {
      starts.append(start)
      start = index + 1
    }
  }

  /// All paths as one piece of bytes, to be kept in a file.
  package var packed: [UInt8] { bytes }

  package var count: Int { starts.count }

  /// Adds a path; one with a zero byte inside becomes the empty path, which no file has.
  package mutating func append(_ path: String) {
    starts.append(bytes.count)
    if !path.utf8.contains(0) { bytes.append(contentsOf: path.utf8) }
    bytes.append(0)
  }

  package subscript(index: Int) -> String {
    let end = index + 1 < starts.count ? starts[index + 1] : bytes.count
    return String(decoding: bytes[starts[index]..<(end - 1)], as: UTF8.self)
  }
}
