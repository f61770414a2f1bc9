import Bytes
import Files
import Foundation

@testable import Fetch
@testable import Manifest
@testable import Preview
@testable import Transfers

extension FuzzTarget {
  /// Checks that a URL parsed from a manifest is normalized and is requested unchanged.
  static let addresses = FuzzTarget(
    run: { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      _ = HostAndPort(text)
      _ = InternetAddress(text)
      _ = NetworkRange(text)
      _ = try? AvatarService.mirror(text)
      if let site = WebURL.site(text) { demand(WebURL.site(site) == site, "site \(site)") }
      guard case .remote(.url(let url))? = AvatarSource.Kind(source: text) else {
        return checkWeb(text)
      }
      guard case .remote(.url(let again))? = AvatarSource.Kind(source: url) else {
        fatalError("\(url) is no address any more")
      }
      demand(again == url, "\(url) becomes \(again)")
      checkWeb(url)
    },
    seeds: {
      [
        "https://example.org:443/a%20b?c=d#e", "data:image/png;base64,iVBORw0KGgo=",
        "gravatar:0000000000000000000000000000000000000000000000000000000000000000",
        "libravatar:sample@example.org", "github:sample-user", "http://[::1]:8080/x",
        "http://0x7f.1/", "10.0.0.0/8", "fe80::1%eth0", "color:#abc",
      ].map { Array($0.utf8) }
    })

  private static func checkWeb(_ text: String) {
    guard let address = try? WebAddress(text) else { return }
    demand(address.host.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }, "host \(address.host)")
    guard let again = try? WebAddress(address.text) else {
      fatalError("\(address.text) was rejected")
    }
    demand(again == address, "\(address.text) becomes \(again.text)")
    if let next = try? address.leading(to: String(text.suffix(40))) {
      demand(!address.isSecure || next.isSecure, "\(address.text) leads to \(next.text)")
    }
  }

  /// Header fields of a response, as `Name: value` lines.
  static let http = FuzzTarget(
    run: { bytes in
      let now: Int64 = 1_790_000_000
      var fields = HTTPFields()
      for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
        _ = CacheControl(String(line))
        let parts = line.split(separator: ":", maxSplits: 1)
        if let value = parts.last { _ = HTTPDate.seconds(value) }
        if parts.count == 2 {
          fields.add(String(parts[0]), parts[1].trimmingCharacters(in: .whitespaces))
        }
      }
      _ = Validators(fields)
      let until = Freshness.until(fields, askedAt: now - 1, answeredAt: now)
      demand(until >= 0, "fresh until \(until)")
    },
    seeds: {
      [
        "Cache-Control: max-age=60, private, x=\"a,b\"\nAge: 5\nDate: Sun, 06 Nov 1994 08:49:37 GMT",
        "Expires: Sunday, 06-Nov-94 08:49:37 GMT\nDate: Sun Nov  6 08:49:37 1994",
        "ETag: W/\"abc\"\nLast-Modified: Sun, 06 Nov 1994 08:49:37 GMT\nCache-Control: no-store",
      ].map { Array($0.utf8) }
    })

  /// A request to the preview server: its target, followed by header lines.
  static let requests = FuzzTarget(
    run: { bytes in
      let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      var request = Request(method: "GET", target: String(decoding: lines[0], as: UTF8.self))
      if let path = try? request.path() {
        let names = path.utf8.split(separator: UInt8(ascii: "/"))
        demand(
          !names.contains { $0.first == UInt8(ascii: ".") } && !path.hasPrefix("/"),
          "serves \(path)")
      }
      for line in lines.dropFirst() {
        let parts = line.split(separator: UInt8(ascii: ":"), maxSplits: 1)
        let value = parts.count == 2 ? Array(parts[1]) : []
        unsafe Array(parts.first ?? []).withUnsafeBytes { name in
          unsafe value.withUnsafeBytes { value in unsafe request.take(name, value) }
        }
      }
      let hosts = AllowedHosts(host: nil, port: 8080)
      if (try? request.check(hosts)) != nil { _ = try? request.checkSameSite(hosts) }
      _ = request.knows("\"a\"")
    },
    seeds: {
      [
        "/a%20b/c.html?d\nHost:localhost:8080\nIf-None-Match:\"a\"",
        "/\nHost:[::1]:8080\nOrigin:http://127.0.0.1:8080\nSec-Fetch-Site:same-origin",
        "/x/\nHost:127.0.0.1\nContent-Length:0\nAccept-Encoding:gzip;q=0.5",
      ].map { Array($0.utf8) }
    })

  /// A message header, followed by a request or a reply from a compromised network worker.
  static let fetcher = FuzzTarget(
    run: { bytes in
      var head = bytes[...]
      guard (try? NetworkMessage.id(&head)) != nil else { return }
      _ = try? NetworkMessage.decode(FetchRequest.self, head)
      if let reply = try? NetworkMessage.decode(FetchReply.self, head.dropFirst()) { judge(reply) }
    },
    seeds: {
      let outcomes: [FetchReply.Outcome] = [
        .fetched(HTTPFields(["ETag": "\"a\""])), .notModified(HTTPFields([:])),
        .failed(FetchFailure(.empty, "the body is empty")),
      ]
      return outcomes.map {
        NetworkMessage.head(1, isFirst: true, FetchReply($0, FetchCost()))
      } + [NetworkMessage.head(1, FetchRequest("http://example.org/"))]
    })

  private static func judge(_ reply: FetchReply) {
    guard reply.isSound else { return }
    switch reply.outcome {
    case .fetched(let fields), .notModified(let fields):
      let now: Int64 = 1_790_000_000
      _ = Validators(fields)
      let until = Freshness.until(fields, askedAt: now - Int64(reply.cost.seconds), answeredAt: now)
      demand(until >= 0, "fresh until \(until)")
    case .failed(let failure):
      demand(!failure.detail.contains(where: \.isNewline), "a failure of several lines")
    }
  }
}
