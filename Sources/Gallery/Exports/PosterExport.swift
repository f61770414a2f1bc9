import Bytes
import Manifest
import Plan
import Recipes

extension ExportedFiles {
  init(posterOf content: SiteContent) {
    guard let poster = Poster(content) else { return }
    images = poster.forms.compactMap { form in
      form.siteImage.flatMap { content.asset(of: $0) }.map {
        Site.File($0, at: form.path)
      }
    }
    pages = [PosterSVG(poster: poster, content: content).page]
  }
}

/// The SVG poster, which can be used in `<img>` or inline.
struct PosterSVG {
  let poster: Poster
  let content: SiteContent

  /// The file, with each picture embedded once; ids are digests, so inlined posters do not clash.
  var page: Site.Page {
    var seen: Set<Digest> = []
    let distinct = poster.pictures.filter { seen.insert($0.asset.digest).inserted }
    let heads = distinct.map { picture in
      let asset = picture.asset
      let (width, height) = (asset.width, asset.height)
      return "<symbol id=\"\(Self.name(of: picture))\" viewBox=\"0 0 \(width) \(height)\">"
        + "<image width=\"\(width)\" height=\"\(height)\" href=\"data:\(picture.asset.format.mimeType);base64,"
    }
    let end = "\"/></symbol>\n"
    let body = (distinct.isEmpty ? "" : end) + everybody + "</svg>\n"
    let first = start + (heads.first ?? body)
    var page = Site.Page(path: "poster.svg") { try $0(Array(first.utf8)) }
    page.contained = distinct.map(\.asset.digest)
    page.between = heads.dropFirst().map { end + $0 } + [body]
    return page
  }

  /// Escapes a text, and replaces U+FFFE and U+FFFF, which XML cannot contain even as references.
  private static func escaped(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      scalars.append([0xFFFE, 0xFFFF].contains(scalar.value) ? "\u{FFFD}" : scalar)
    }
    return Markup.escaped(String(scalars))
  }

  private static func name(of picture: Poster.Picture) -> String {
    "p" + picture.asset.digest.hex.prefix(12)
  }

  private var start: String {
    let appearances = poster.style.appearances
    let first = appearances[0]
    var text =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(poster.size.width)\""
      + " height=\"\(poster.size.height)\""
      + " viewBox=\"0 0 \(poster.size.width) \(poster.size.height)\" role=\"group\""
      + " aria-label=\"\(Self.escaped(content.manifest.site.title))\""
      + " font-family=\"system-ui, sans-serif\" font-size=\"\(Poster.em)\" font-weight=\"bold\">\n"
    for other in appearances.dropFirst() {
      text +=
        "<style>@media (prefers-color-scheme: \(other.rawValue)) {"
        + " .poster-ground { fill: \(other.ground.css) } .poster-ink { fill: \(other.ink.css) }"
        + " }</style>\n"
    }
    return text + "<rect class=\"poster-ground\" width=\"100%\" height=\"100%\""
      + " fill=\"\(first.ground.css)\"/>\n"
  }

  private var everybody: String {
    let ink = poster.style.appearances[0].ink
    var text = ""
    for heading in poster.headings {
      let frame = heading.frame
      // Centre the text vertically: capitals are about 0.7 em high.
      text +=
        "<text class=\"poster-ink\" fill=\"\(ink.css)\" text-anchor=\"middle\""
        + " x=\"\(frame.x + frame.width / 2)\" y=\"\(frame.y + frame.height / 2 + Poster.em * 7 / 20)\""
        + ">\(Self.escaped(heading.text))</text>\n"
    }
    for picture in poster.pictures {
      let user = content.manifest.users[picture.user]
      let link = user.link.flatMap { $0.lowercased().hasPrefix("https://") ? $0 : nil }
      let (open, close) =
        link.map { ("a href=\"\(Markup.escaped(SiteAddress.encoded($0)))\"", "a") }
        ?? ("g role=\"img\"", "g")
      let frame = picture.frame
      text +=
        "<\(open)><title>\(Self.escaped(user.name))</title>"
        + "<use href=\"#\(Self.name(of: picture))\" x=\"\(frame.x)\" y=\"\(frame.y)\""
        + " width=\"\(frame.width)\" height=\"\(frame.height)\"/></\(close)>\n"
    }
    return text
  }
}
