import Fetch
import Testing

struct ValidatorsTests {
  @Test(arguments: ["\"xyzzy\"", "W/\"xyzzy\"", "\"\"", "\"a,b\"", "\"W/\"", "\"5f-3a\\1\""])
  func `an entity tag is kept unchanged`(tag: String) {
    #expect(Validators(HTTPFields(["ETag": tag])).etag == tag)
  }

  @Test(arguments: [
    "*", "xyzzy", "\"a\",\"b\"", "\"a\", \"b\"", "\"a b\"", "\"a", "a\"", "\"", "", "w/\"a\"", "W/",
    "\"a\u{7}\"",
    "\"a\"\r\nCookie: b", "\"é\"", "\"\(String(repeating: "a", count: 1023))\"",
  ]) func `a wildcard or invalid entity tag is dropped`(tag: String) {
    #expect(Validators(HTTPFields(["ETag": tag])).isEmpty)
  }

  @Test func `if a response has two entity tags, both are dropped`() {
    #expect(Validators(HTTPFields(["ETag": "\"a\"", "etag": "\"b\""])).isEmpty)
  }

  @Test func `Last-Modified is kept only if it is a valid date`() {
    let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    #expect(Validators(HTTPFields(["Last-Modified": date])).lastModified == date)
    for text in ["0", "now", "\(date), \(date)", date + String(repeating: " ", count: 1024)] {
      #expect(Validators(HTTPFields(["Last-Modified": text])).isEmpty)
    }
    #expect(Validators(HTTPFields([:])).isEmpty)
  }

  /// RFC 9110, 8.8.3.2: weak comparison.
  @Test func `entity tags are compared weakly`() {
    #expect(Validators.isSame("W/\"1\"", "W/\"1\""))
    #expect(!Validators.isSame("W/\"1\"", "W/\"2\""))
    #expect(Validators.isSame("W/\"1\"", "\"1\""))
    #expect(Validators.isSame("\"1\"", "\"1\""))
  }
}
