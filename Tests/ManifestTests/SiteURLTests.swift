import SiteSupport

struct SiteURLTests {
  private func manifest(_ url: String) -> ManifestText {
    ManifestText(text: "version: 1\nsite: { url: \"\(url)\" }\nusers: [{ id: a }]\n")
  }

  @Test(arguments: [
    ("https://example.org", "https://example.org/"),
    ("HTTPS://example.org/Team", "https://example.org/Team/"),
    ("Http://example.org:8080/a/", "http://example.org:8080/a/"),
    ("https://example.org:1", "https://example.org:1/"),
    ("https://example.org:65535/", "https://example.org:65535/"),
    ("https://[::1]:8080/a", "https://[::1]:8080/a/"),
    ("https://[2001:db8::1]", "https://[2001:db8::1]/"),
    ("https://bücher.example/a%20b/@home/...", "https://bücher.example/a%20b/@home/.../"),
    // Swift treats this combining mark and the slash as one character.
    ("https://example.org/a\u{601}/", "https://example.org/a\u{601}/"),
  ])
  func `valid site URLs are accepted`(url: String, read: String) throws {
    #expect(try manifest(url).problems() == [])
    #expect(try manifest(url).read().manifest?.site.url == read)
  }

  @Test(arguments: [
    "https://ada@example.org/", "https://ada:secret@example.org/", "https://@example.org/",
    "https://", "https:///team/", "https://:80/", "https://[]/", "https://[::1", "https://::1/",
    "https://[::1]x/", "https://[example.org]/", "https://example.org]/",
    "https://example.org:/", "https://example.org:0/", "https://example.org:65536/",
    "https://example.org:+80/", "https://example.org:80:80/", "https://example.org:http/",
    "https://example.org:99999999999999999999/",
    "https://example.org/./", "https://example.org/a/..", "https://example.org/../a/",
    "https://example.org/%2E/", "https://example.org/.%2e/a/",
    "https://example.org/%", "https://example.org/%4", "https://example.org/%zz/",
    "https://exa%mple.org/", "https://example.org/?a", "https://example.org/#a",
    "mailto:ada@example.org", "ftp://example.org/", "/team/",
  ])
  func `invalid site URLs are rejected`(url: String) throws {
    #expect(try manifest(url).problems() == ["2:14 site.url bad-link"])
  }
}
