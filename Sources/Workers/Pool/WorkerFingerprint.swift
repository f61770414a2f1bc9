import Bytes
import Files
import Glibc

/// What renders: equal fingerprints make equal bytes of equal requests.
package struct WorkerFingerprint: Hashable, Sendable {
  /// Our revision and the versions of the codecs.
  package var text: String
  /// The executable and the shared libraries that a warm worker has mapped, sorted.
  ///
  /// While none of them has changed, the text is still true, without asking a worker.
  package var files: [String]

  package init(text: String, files: [String]) {
    self.text = text
    self.files = files
  }

  /// Whether both are the same renderer; one that draws no SVG does not name the last library.
  package func agrees(with other: String) -> Bool { text.hasPrefix(other) || other.hasPrefix(text) }
}

extension WorkerFingerprint {
  init(head: ArraySlice<UInt8>) throws(ByteReader.Malformed) {
    var reader = ByteReader(head)
    let text = try reader.readText()
    var files: [String] = []
    while !reader.isAtEnd { files.append(try reader.readText()) }
    self.init(text: text, files: files)
  }

  package var head: [UInt8] {
    var writer = ByteWriter()
    writer.write(text)
    for file in files { writer.write(file) }
    return writer.bytes
  }

  /// The executable and the shared libraries, sorted; empty where there is no `/proc`.
  package static func filesOfThisProcess() -> [String] {
    let maps = Descriptor(adopting: unsafe open("/proc/self/maps", O_RDONLY | O_CLOEXEC))
    // By hand: a file of `/proc` comes in short reads, which Foundation takes for its end.
    var text: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 64 << 10)
    while case .bytes(let count) = maps.read(into: &part) { text += part[..<count] }
    return list(text)
  }

  /// Reads lines like `55d0c8a00000-55d0c8a21000 r-xp 00002000 08:01 1234   /usr/lib/libx.so`.
  private static func list(_ maps: [UInt8]) -> [String] {
    var files: Set<String> = []
    for line in maps.split(separator: UInt8(ascii: "\n")) {
      // Five fields, then a path that may hold spaces.
      let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
      guard fields.count == 6, fields[1].dropFirst(2).first == UInt8(ascii: "x") else { continue }
      let path = fields[5].drop { $0 == UInt8(ascii: " ") }
      guard path.first == UInt8(ascii: "/") else { continue }
      files.insert(String(decoding: path, as: UTF8.self))
    }
    return files.sorted()
  }
}
