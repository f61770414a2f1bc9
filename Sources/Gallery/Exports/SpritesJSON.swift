import Manifest
import Plan
import Recipes

/// `sprites.json`: each style's sheets, and the position of each user's picture.
struct SpritesJSON {
  private let styles: [StyleSheets]
  private let users: [User]

  init(_ styles: [StyleSheets], users: [User]) {
    self.users = users
    self.styles = styles.sorted { $0.style.name.precedes($1.style.name) }
  }

  func write(_ emit: Emit) throws {
    try JSONWriter.writeFile(to: emit) { json in
      json.object("styles", indent: 2) { json in
        for sheets in styles { write(sheets, to: &json) }
      }
      try json.object("users", indent: 2) { json in
        for user in users.indices.sorted(by: { users[$0].id.precedes(users[$1].id) }) {
          write(user: user, to: &json)
          try json.flush(to: emit)
        }
      }
      json.pair("version", 1, indent: 2)
    }
  }

  private func write(_ sheets: StyleSheets, to json: inout JSONWriter) {
    let size = StyleLayout(sheets.style).size
    json.object(sheets.style.name, indent: 4) { json in
      json.pair("height", size.height)
      json.array("sheets") { json in
        for sheet in 0..<sheets.set.sheetCount where sheets.isThere(sheet) {
          for (scale, asset) in sheets.files(of: sheet) {
            json.line(indent: 6)
            json.image(asset, scale: scale, sheet: sheet)
          }
        }
      }
      json.pair("width", size.width)
    }
  }

  private func write(user: Int, to json: inout JSONWriter) {
    let own = styles.filter { sheets in
      let number = Int(sheets.set.numbers[user])
      return number >= 0 && sheets.isThere(sheets.set.position(of: number).sheet)
    }
    guard !own.isEmpty else { return }
    json.object(users[user].id, indent: 4) { json in
      for sheets in own {
        let position = sheets.set.position(of: Int(sheets.set.numbers[user]))
        json.object(sheets.style.name) { json in
          json.array("frames") { json in
            for (scale, size) in zip(sheets.set.scales, sheets.set.cellSizes) {
              let origin = sheets.set.grid.pixels(of: position.number, at: scale)
              json.object { json in
                json.pair("height", size.height)
                json.pair("scale", scale)
                json.pair("width", size.width)
                json.pair("x", origin.x)
                json.pair("y", origin.y)
              }
            }
          }
          json.pair("sheet", position.sheet)
        }
      }
    }
  }
}
