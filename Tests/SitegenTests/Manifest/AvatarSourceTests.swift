import Imaging
import Sitegen
import Testing

struct AvatarSourceTests {
  @Test(arguments: [
    ("gravatar:a@b.c", "gravatar"),
    ("libravatar:a@b.c", "libravatar"), ("github:ada", "github"), ("https://x/a.jpg", "https"),
    ("HTTP://x/a.jpg", "http"), ("data:image/png;base64,AAAA", "data"),
  ])
  func `kinds of later versions are known`(source: String, kind: String) {
    #expect(AvatarSource.Kind(source: source) == .unsupported(kind))
  }

  /// Every prefix of ImageMagick included.
  @Test(arguments: [
    "msl:x", "mvg:x", "svg:x", "text:/etc/passwd", "label:@f", "caption:x", "ephemeral:x",
    "inline:x", "fd:0", "x:", "vid:x", "epdf:x", "https:", "https:x", "http:/x", "png:/etc/x",
    "file:///etc/passwd", "ftp://x", "@file", "|cmd", "-", "a.png[0]", "%d.png", "*.png",
    "Initials", "./initials", "../x.jpg", "/etc/passwd", "~/x", "c:\\x", ":", "colors:red",
    "a b.jpg", "ä.jpg",
  ])
  func `everything else is a file`(source: String) {
    #expect(AvatarSource.Kind(source: source) == .file(source))
  }

  @Test func `a colour is a picture of one colour`() {
    #expect(AvatarSource.Kind(source: "color:#fff") == .color(.white))
    #expect(AvatarSource.Kind(source: "Color:white") == .color(.white))
    #expect(AvatarSource.Kind(source: "color:#ffg") == nil)
    #expect(AvatarSource.Kind(source: "color:") == nil)
  }
}
