import Manifest

extension AssetsJSON {
  /// `strips`: the pictures of each, by name; nothing where there are none.
  func write(_ strips: [ShadowStrip], to json: inout JSONBytes) {
    guard !strips.isEmpty else { return }
    json.line(indent: 2)
    json.key("strips")
    json.object { json in
      for strip in strips.sorted(by: { Self.precedes($0.name, $1.name) }) {
        json.line(indent: 4)
        json.key(strip.name)
        json.array { json in
          for (scale, asset) in content.images(of: strip) { json.object(of: asset, scale: scale) }
        }
      }
    }
  }
}
