import Bytes
package import Fetch
import Foundation

/// The proxies for http and https; libcurl never reads them from the environment.
package struct Proxies: Sendable {
  private var forHTTP: String?
  private var forHTTPS: String?
  private var exceptions: [Substring] = []

  package init(
    _ choice: ProxyChoice, environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    func word(_ names: String...) -> String? {
      names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    }
    switch choice {
    case .none: break
    case .url(let url):
      forHTTP = url
      forHTTPS = url
    case .environment:
      // HTTP_PROXY is ignored: a CGI program may get it from a request's `Proxy:` header (httpoxy).
      forHTTP = word("http_proxy", "all_proxy", "ALL_PROXY")
      forHTTPS = word("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY")
      exceptions = (word("no_proxy", "NO_PROXY") ?? "")
        .split { $0 == "," || $0.isWhitespace }
    }
  }

  package func proxy(for address: WebAddress) -> String? {
    guard let proxy = address.isSecure ? forHTTPS : forHTTP,
      !exceptions.contains(where: { Proxies.matches($0, address) })
    else { return nil }
    return proxy
  }

  /// Returns whether an exception matches: `*`, a network, an IP address with an optional port, or
  /// a domain (including its subdomains) with an optional port.
  private static func matches(_ exception: Substring, _ address: WebAddress) -> Bool {
    if exception == "*" { return true }
    if let literal = InternetAddress(address.host), let range = NetworkRange(exception) {
      return range.contains(literal)
    }
    var name = exception.lowercased()[...]
    if let colon = name.lastIndex(of: ":"), !name.hasSuffix("]"),
      let port = UInt16(name[name.index(after: colon)...])
    {
      guard port == address.port else { return false }
      name = name[..<colon]
    }
    if name.hasPrefix("*.") { name = name.dropFirst() }
    if name.hasPrefix(".") { name = name.dropFirst() }
    if name.hasSuffix(".") { name = name.dropLast() }
    return !name.isEmpty && (address.host == name || address.host.hasSuffix("." + name))
  }
}
