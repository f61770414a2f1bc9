import Bytes
import Manifest
import Plan
import Recipes

/// `assets.json`: a machine-readable map from users and buttons to files.
///
/// Keys are sorted in byte order. New versions of sitegen may add keys, but do not remove any.
struct AssetsJSON {
  private let people: People
  /// Users' names in the Swift package's asset catalog; nil if the package is not exported.
  private let assetNames: ResourceNames?

  init(_ people: People) {
    self.people = people
    let manifest = people.content.manifest
    assetNames =
      manifest.exports.contains(.swiftPackage) ? ResourceNames(manifest.users.map(\.id)) : nil
  }

  func write(_ emit: Emit) throws {
    let manifest = people.content.manifest
    try JSONWriter.writeFile(to: emit) { json in
      json.object("buttons", indent: 2) { json in
        for button in manifest.buttons.sorted(by: { $0.name.precedes($1.name) }) {
          write(button, to: &json)
        }
      }
      if !manifest.strips.isEmpty {
        json.object("strips", indent: 2) { json in
          for strip in manifest.strips.sorted(by: { $0.name.precedes($1.name) }) {
            json.array(strip.name, indent: 4) { json in
              for (scale, asset) in people.content.images(of: strip) {
                json.image(asset, scale: scale)
              }
            }
          }
        }
      }
      try json.object("users", indent: 2) { json in
        let users = manifest.users
        for user in users.indices.sorted(by: { users[$0].id.precedes(users[$1].id) }) {
          write(people[user], asset: assetNames?[user], to: &json)
          try json.flush(to: emit)
        }
      }
      json.pair("version", 1, indent: 2)
    }
  }

  private func write(_ button: ButtonStyle, to json: inout JSONWriter) {
    json.object(button.name, indent: 4) { json in
      // All keys are sorted, so the dark appearance comes first.
      for (appearance, colors) in button.appearances.reversed() {
        json.object(appearance.rawValue) { json in
          for (state, color) in colors.states.sorted(by: { $0.state.rawValue < $1.state.rawValue })
          {
            json.object(state.rawValue) { json in
              json.pair("color", color.hex)
              let contrast = colors.contrast(on: color, in: appearance)
              json.pair("contrast", contrast?.roundedContrast)
              json.array("images") { json in
                guard button.emit.contains(.png) else { return }
                for (bitmap, asset) in people.content.bitmaps(
                  of: button, state: state, in: appearance, at: ButtonStyle.scales)
                {
                  let cap = bitmap.cap
                  json.image(
                    asset, scale: bitmap.scale,
                    insets: Margins(top: cap, right: cap, bottom: cap, left: cap))
                }
              }
            }
          }
        }
      }
    }
  }

  private func write(_ person: Person, asset: String?, to json: inout JSONWriter) {
    let styles = person.styles.sorted { $0.name.precedes($1.name) }
    json.object(person.user.id, indent: 4) { json in
      json.pair("asset", asset)
      json.object("avatars") { json in
        for style in styles {
          json.array(style.name) { json in
            for image in style.images {
              json.image(
                image.asset, scale: image.scale,
                inset: people.content.variants.plans[style.number].inset)
            }
          }
        }
      }
      writeFocus(of: styles, to: &json)
      json.pair("name", person.user.name)
      if let placeholder = person.placeholder {
        json.object("placeholder") { $0.pairs(of: placeholder) }
      }
      json.pair("reason", person.reasonCode)
      if let source = person.source {
        json.pair("source", source.kind)
        json.pair("sourceIndex", source.index)
        json.pair("sourceSHA256", source.digest.hex)
      }
      json.pair("status", person.status.rawValue)
    }
  }

  private func writeFocus(of styles: [Person.Style], to json: inout JSONWriter) {
    let found = styles.compactMap { style in style.focus.map { (style.name, $0) } }
    guard !found.isEmpty else { return }
    // Four decimals locate a point to within one pixel in any avatar.
    func rounded(_ fraction: Double) -> Double { (fraction * 10_000).rounded() / 10_000 }
    json.object("focus") { json in
      for (name, found) in found {
        json.object(name) { json in
          json.pair("by", found.method.rawValue)
          json.pair("x", rounded(found.focus.x))
          json.pair("y", rounded(found.focus.y))
          if found.zoom != 1 { json.pair("zoom", rounded(found.zoom)) }
        }
      }
    }
  }
}
