import Manifest
import Plan
import Recipes

/// `site.webmanifest`: what a browser shows of a site that is put on a home screen.
enum WebManifest {
  static func bytes(for site: SiteDescription, ground: Color) -> [UInt8] {
    var json = JSONBytes()
    json.object { json in
      json.line(indent: 2)
      json.key("background_color")
      json.string(String(ground.hex.prefix(7)))
      if let description = site.description {
        json.line(indent: 2)
        json.key("description")
        json.string(description)
      }
      json.line(indent: 2)
      json.key("display")
      json.string("browser")
      json.line(indent: 2)
      json.key("icons")
      json.array { json in
        write("icons/icon-192.png", SiteIcons.smallSide, for: "any", to: &json)
        write("icons/icon-512.png", SiteIcons.largeSide, for: "any", to: &json)
        write("icons/maskable-512.png", SiteIcons.largeSide, for: "maskable", to: &json)
      }
      json.line(indent: 2)
      json.key("lang")
      json.string(site.language)
      json.line(indent: 2)
      json.key("name")
      json.string(site.title)
      json.line(indent: 2)
      json.key("start_url")
      json.string("./")
    }
    json.endLine()
    return json.bytes
  }

  private static func write(
    _ path: String, _ side: Int, for purpose: String, to json: inout JSONBytes
  ) {
    json.line(indent: 4)
    json.object { json in
      json.key("purpose")
      json.string(purpose)
      json.key("sizes")
      json.string("\(side)x\(side)")
      json.key("src")
      json.string(path)
      json.key("type")
      json.string(OutputFormat.png.mimeType)
    }
  }
}
