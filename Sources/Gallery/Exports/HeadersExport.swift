import Manifest
import Plan

extension ExportedFiles {
  init(headersOf content: SiteContent) {
    guard content.manifest.exports.contains(.headers) else { return }
    pages = [
      // Without this file, GitHub Pages ignores files whose names begin with `_`.
      Site.Page(".nojekyll", ""), Site.Page("_headers", Self.headers),
      Site.Page("nginx-headers.conf", Self.nginx),
    ]
  }

  private static let forEver = "public, max-age=31536000, immutable"

  /// The rules must not overlap, because a file gets the headers of all matching rules.
  private static let headers = """
    # For Netlify and Cloudflare Pages. By default, they make browsers revalidate all other files.
    /assets/*
      Cache-Control: \(forEver)
    /u/*
      Cache-Control: public, max-age=0, must-revalidate

    """

  /// Sets a variable, because nested locations do not work inside an `alias` location.
  private static let nginx = """
    # For nginx: include this file in the `server` block or in the site's `location` block.
    set $sitegen_cache "no-cache";
    if ($uri ~ "/assets/[0-9a-f][0-9a-f]/[0-9a-f]{64}[.][a-z]+$") {
      set $sitegen_cache "\(forEver)";
    }
    add_header Cache-Control $sitegen_cache;

    """
}
