import Files

/// Judges files of the served folder that the site does not name.
package struct ForeignFiles: Sendable {
  /// A folder with one of these files, the served one aside, is a cache or another site.
  private let markers: Set<Substring>

  package init(markers: Set<Substring>) {
    self.markers = markers
  }

  /// Whether a file may be served, by its path without links; reads the folders on the way to it.
  func allows(_ path: String, in root: Folder) throws(FileError) -> Bool {
    let parts = path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
    guard let name = parts.last, !parts.contains(where: { $0.hasPrefix(".") }),
      !ForeignFiles.manifests.contains(name.lowercased())
    else { return false }
    for depth in 0..<parts.count {
      let folder = depth == 0 ? root : try root.folder(parts[..<depth].joined(separator: "/"))
      for entry in try folder.entries() {
        if depth > 0, markers.contains(entry.name) { return false }
        if entry.kind == .file, try ForeignFiles.isPrivateKey(entry.path, in: folder) {
          return false
        }
      }
    }
    return true
  }

  private static let manifests: Set = ["manifest.yaml", "manifest.yml", "manifest.json"]
  private static let keyNames: Set = ["id_rsa", "id_dsa", "id_ecdsa", "id_ed25519"]
  private static let keyEndings = [".pem", ".key", ".p12", ".pfx"]

  private static func isPrivateKey(_ name: String, in folder: Folder) throws(FileError) -> Bool {
    let lower = name.lowercased()
    if keyNames.contains(lower) || keyEndings.contains(where: lower.hasSuffix) { return true }
    do throws(FileError) {
      let file = try folder.open(beneath: name, followingLinks: false)
      let line = try file.readChunk(at: 0, count: 64).prefix { $0 != UInt8(ascii: "\n") }
      return line.starts(with: "-----BEGIN ".utf8)
        && String(decoding: line, as: UTF8.self).contains("PRIVATE KEY-----")
    } catch  where error.reason == .denied || error.reason == .notFound {
      // Whoever cannot read it cannot serve it.
      return false
    }
  }
}
