import Manifest
import Plan

extension ExportedFiles {
  /// Cache headers: content-addressed pictures are immutable, other files are revalidated.
  init(headersOf content: SiteContent) {
    guard content.manifest.exports.contains(.headers) else { return }
    pages = [
      // Without it, GitHub Pages ignores files that begin with `_`.
      Site.Page(".nojekyll", ""), Site.Page("_headers", Self.headers),
      Site.Page("nginx-headers.conf", Self.nginx),
    ]
  }

  private static let forEver = "public, max-age=31536000, immutable"

  /// The rules must not overlap, because a file gets the headers of all matching rules.
  private static let headers = """
    # For Netlify and Cloudflare Pages, whose own headers let browsers ask for every other file.
    /assets/*
      Cache-Control: \(forEver)
    /u/*
      Cache-Control: public, max-age=0, must-revalidate

    """

  /// A variable works everywhere, even inside an `alias` location, where nested locations do not.
  private static let nginx = """
    # For nginx: include it in the server, or in the location of this site.
    set $sitegen_cache "no-cache";
    if ($uri ~ "/assets/[0-9a-f][0-9a-f]/[0-9a-f]{64}[.][a-z]+$") {
      set $sitegen_cache "\(forEver)";
    }
    add_header Cache-Control $sitegen_cache;

    """
}
