package import Fetch
package import Manifest

extension RemoteAddress {
  /// The address with `http` or `https`; may ask name servers, and waits for them.
  ///
  /// `pixels` is the side of the square that is wanted; each service has its largest. `federation`
  /// finds a domain's own Libravatar server; without it, none is looked for.
  ///
  /// - Throws: When no name server tells which server that is.
  package func url(
    pixels: Int, services: RemoteServices = RemoteServices(), federation: Federation? = nil
  ) throws(FetchFailure) -> String {
    let size = size(pixels)
    switch self {
    case .url(let url):
      return url
    case .gravatar(let digest):
      return "\(services.gravatar)/avatar/\(digest)?s=\(size)&d=404"
    case .libravatar(let digest, let domain):
      let base = try federation?.base(of: domain) ?? services.libravatar
      return "\(base)/avatar/\(digest)?s=\(size)&d=404"
    case .github(let user):
      return "\(services.github)/\(user).png?size=\(size)"
    }
  }
}
