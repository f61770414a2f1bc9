import Fetch
import Testing

struct CacheControlTests {
  @Test(arguments: [
    ("max-age=3600", 3600), ("MAX-AGE=3600", 3600), ("max-age=\"10\"", 10), ("max-age=0", 0),
    ("private, max-age=60", 60), ("max-age=60,private=\"a, b\"", 60), (",, max-age=5 ,", 5),
    ("public,max-age=31536000, immutable", 31_536_000), ("max-age=\"1\\0\"", 10),
    ("s-maxage=1, max-age=600", 600), ("max-age=600, stale-if-error=5, must-revalidate", 600),
    ("max-age=99999999999999999999999999", 1 << 31), ("\tmax-age=7\t", 7),
  ]) func `max-age is parsed in every allowed form`(text: String, seconds: Int64) {
    let control = CacheControl(text)
    #expect(control.maxAge == seconds)
    #expect(!control.noCache && !control.noStore)
  }

  @Test(arguments: [
    "max-age=60, max-age=0", "max-age=0, max-age=60", "max-age=", "max-age", "max-age=-1",
    "max-age=1.5", "max-age=\"\"",
    "max-age=60s", "max-age=0x10", "max-age=60, max-age=x", "max-age=\" 5\"",
  ]) func `duplicate or invalid max-age values disable caching`(text: String) {
    let control = CacheControl(text)
    #expect(control.noCache || control.maxAge == 0)
  }

  @Test(arguments: [
    ("no-store", true, false), ("No-Store, max-age=5", true, false), ("no-cache", false, true),
    ("no-cache=\"set-cookie\"", false, true), ("max-age=5,no-cache", false, true),
    ("no-store=1", true, false), ("max-age=5", false, false), ("", false, false),
    ("no-storeage, x-no-cache", false, false), ("\"no-store\"", false, true),
    ("x=\"no-store, no-cache\"", false, false),
  ]) func `no-store and no-cache are matched as whole words`(
    text: String, noStore: Bool, noCache: Bool
  ) {
    let control = CacheControl(text)
    #expect(control.noStore == noStore)
    #expect(control.noCache == noCache)
  }

  @Test(arguments: [
    "max-age = 60", "max-age=60 private", "max-age=60; private", "x=\"max-age=60", "=60",
    "max-age=60, \u{0}", "max-age=60\n", "x=\"\\", "(", "max-age=60, é", "max-age==60",
  ]) func `a malformed Cache-Control field disables caching`(text: String) {
    #expect(CacheControl(text).noCache)
  }

  @Test func `a missing Cache-Control field has no effect`() {
    let control = CacheControl(nil)
    #expect(!control.noCache && !control.noStore && control.maxAge == nil)
  }
}
