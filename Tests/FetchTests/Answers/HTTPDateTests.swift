import Fetch
import Testing

@Suite struct HTTPDateTests {
  @Test(arguments: [
    ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
    ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
    ("Sun Nov  6 08:49:37 1994", 784_111_777),
    ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
    ("Tue, 29 Feb 2000 23:59:60 GMT", 951_868_800),
    ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
  ]) func `all three HTTP date formats are parsed`(text: String, seconds: Int64) {
    #expect(HTTPDate.seconds(text) == seconds)
  }

  @Test(arguments: [
    "", "0", "-1", "never", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 06 Nov 1994 08:49 GMT",
    "Sun, 32 Nov 1994 08:49:37 GMT", "Sun, 06 Abc 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 25:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT", "1994-11-06T08:49:37Z",
    "Sun, 06 Nov 1994 08:49:37 GMT GMT", "Sun, +6 Nov 1994 08:49:37 GMT",
  ]) func `invalid dates are rejected`(text: String) {
    #expect(HTTPDate.seconds(text) == nil)
  }
}
