import Foundation
import Manifest
import Plan
import Recipes
import Store

/// `assets.json`: the map from users and buttons to files, for programs.
///
/// Written as a stream with keys sorted by bytes; the shape only ever gains keys.
struct AssetsJSON {
  let content: SiteContent
  /// Where each style stands when their names are sorted.
  private let ranks: [Int]

  init(content: SiteContent) {
    self.content = content
    let styles = content.manifest.styles
    let sorted = styles.indices.sorted { Self.precedes(styles[$0].name, styles[$1].name) }
    var ranks = Array(repeating: 0, count: sorted.count)
    for (rank, style) in sorted.enumerated() { ranks[style] = rank }
    self.ranks = ranks
  }

  func write(_ emit: ([UInt8]) throws -> Void) throws {
    var json = JSONBytes()
    try json.object { json in
      json.line(indent: 2)
      json.key("buttons")
      json.object { json in
        for button in content.manifest.buttons.sorted(by: { Self.precedes($0.name, $1.name) }) {
          write(button, to: &json)
        }
      }
      write(content.manifest.strips, to: &json)
      json.line(indent: 2)
      json.key("users")
      try json.object { json in
        let users = content.manifest.users
        for user in users.indices.sorted(by: { Self.precedes(users[$0].id, users[$1].id) }) {
          write(user: user, to: &json)
          if json.bytes.count > 1 << 16 {
            try emit(json.bytes)
            json.removeAll()
          }
        }
      }
      json.line(indent: 2)
      json.key("version")
      json.number(1)
    }
    json.endLine()
    try emit(json.bytes)
  }

  private func write(_ button: ButtonStyle, to json: inout JSONBytes) {
    json.line(indent: 4)
    json.key(button.name)
    json.object { json in
      for (name, appearance) in button.appearances.sorted(by: { Self.precedes($0.name, $1.name) }) {
        json.key(name)
        json.object { json in
          for state in appearance.states.sorted(by: { Self.precedes($0.name, $1.name) }) {
            json.key(state.name)
            json.object { json in
              json.key("color")
              json.string(state.color.hex)
              if let contrast = appearance.contrast(
                on: state.color, page: ButtonStyle.page(of: name))
              {
                json.key("contrast")
                json.number(contrast.toldContrast)
              }
              json.key("images")
              json.array { json in
                guard button.emit.contains(.png) else { return }
                for (bitmap, asset) in content.bitmaps(
                  of: button, state: state.name, in: name, at: ButtonStyle.scales)
                {
                  json.object(of: asset, scale: bitmap.slice.scale) { json in
                    write(insets: bitmap.slice.cap, to: &json)
                  }
                }
              }
            }
          }
        }
      }
    }
  }

  /// Pixels at each side that must not be stretched.
  private func write(insets cap: Int, to json: inout JSONBytes) {
    json.key("insets")
    json.object { json in
      for side in ["bottom", "left", "right", "top"] {
        json.key(side)
        json.number(cap)
      }
    }
  }

  private func write(user: Int, to json: inout JSONBytes) {
    let person = content.manifest.users[user]
    let assignment = content.assignment.assignments[user]
    let styles = assignment.source == nil ? [] : stylesByName(of: user)
    json.line(indent: 4)
    json.key(person.id)
    json.object { json in
      json.key("avatars")
      json.object { json in
        for style in styles {
          json.key(content.manifest.styles[style].name)
          json.array { json in
            for record in content.records(of: user, style: style) { write(record, to: &json) }
          }
        }
      }
      writeFocus(of: user, styles, to: &json)
      json.key("name")
      json.string(person.name)
      if let placeholder = content.placeholder(of: user) { write(placeholder, to: &json) }
      if let reason = content.assignment.reason(of: user) {
        json.key("reason")
        json.string(reason)
      }
      if let source = content.source(of: user), let kind = content.sourceKind(of: user) {
        json.key("source")
        json.string(kind)
        json.key("sourceIndex")
        json.number(assignment.candidate)
        json.key("sourceSHA256")
        json.string(source.digest.hex)
      }
      json.key("status")
      json.string(content.assignment.status(of: user).rawValue)
    }
  }

  /// Where the picture was cropped around, for styles that looked for it.
  private func writeFocus(of user: Int, _ styles: [Int], to json: inout JSONBytes) {
    guard content.rendered.hasFocus else { return }
    let found = styles.compactMap { style in
      content.focus(of: user, style: style).map { (content.manifest.styles[style].name, $0) }
    }
    guard !found.isEmpty else { return }
    json.key("focus")
    json.object { json in
      for (name, found) in found {
        json.key(name)
        json.object { json in
          json.key("by")
          json.string(found.way.rawValue)
          json.key("x")
          json.number(rounded(found.focus.x))
          json.key("y")
          json.number(rounded(found.focus.y))
        }
      }
    }
  }

  private func write(_ placeholder: Placeholder, to json: inout JSONBytes) {
    json.key("placeholder")
    json.object { json in
      json.key("color")
      json.string(placeholder.colorText)
      json.key("thumbhash")
      json.string(placeholder.thumbHashText)
    }
  }

  private func write(_ record: SiteContent.Record, to json: inout JSONBytes) {
    json.object(
      of: record.asset, as: record.image.format, scale: record.image.scale,
      quality: record.quality
    ) { write(inset: record.inset, to: &$0) }
  }

  /// Where the box lies in the image, in points; nothing when it fills it.
  private func write(inset: Margins, to json: inout JSONBytes) {
    guard inset != .none else { return }
    json.key("inset")
    json.object { json in
      for (key, points) in [
        ("bottom", inset.bottom), ("left", inset.left), ("right", inset.right), ("top", inset.top),
      ] {
        json.key(key)
        json.number(points)
      }
    }
  }

  private func stylesByName(of user: Int) -> [Int] {
    content.styles(of: user).sorted { ranks[$0] < ranks[$1] }
  }

  /// A ten-thousandth of a picture is finer than a pixel of any avatar.
  private func rounded(_ fraction: Double) -> Double {
    (fraction * 10_000).rounded() / 10_000
  }

  /// By bytes, as keys are sorted everywhere.
  static func precedes(_ left: String, _ right: String) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
  }
}
