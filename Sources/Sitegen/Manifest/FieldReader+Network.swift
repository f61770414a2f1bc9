import Diagnostics
import Fetch

extension FieldReader {
  /// How pictures are fetched; with the defaults where something is wrong.
  mutating func network(_ field: Field) -> NetworkSettings {
    var network = NetworkSettings()
    guard let fields = mapping(field, .network) else { return network }
    for item in fields["allow"].flatMap({ list($0, limit: ManifestLimits.networks) }) ?? [] {
      allow(item, in: &network.reach)
    }
    for item in fields["ports"].flatMap({ list($0, limit: ManifestLimits.networks) }) ?? [] {
      if let port = whole(item, .port) { network.reach.ports.append(UInt16(port)) }
    }
    if let days = fields["maxStale"].flatMap({ number($0, .days) }) {
      network.maxStale = Int64(days * 86_400)
    }
    if let count = fields["perHost"].flatMap({ whole($0, .connections) }) {
      network.perHost = count
    }
    if let count = fields["overall"].flatMap({ whole($0, .connections) }) {
      network.overall = count
    }
    if let proxy = fields["proxy"].flatMap({ proxy($0) }) { network.proxy = proxy }
    if let field = fields["services"] { services(field, &network.services) }
    return network
  }

  private mutating func allow(_ field: Field, in reach: inout Reach) {
    guard let text = text(field) else { return }
    let word = text.lowercased()
    if NetworkRange(word) != nil {
      reach.networks.append(word)
    } else if isHostName(word) {
      reach.hosts.append(word.hasSuffix(".") ? String(word.dropLast()) : word)
    } else {
      report(
        .badNetwork, "\(text.quoted) is neither a network nor the name of a host", field,
        help: "write a network such as 10.0.0.0/8 or fd00::/8, or a name without port and path")
    }
  }

  private func isHostName(_ text: String) -> Bool {
    let labels = text.split(separator: ".", omittingEmptySubsequences: false)
    // A name that ends in a number would be taken for an address by whoever resolves it.
    guard text.utf8.count <= 253, let last = labels.last(where: { !$0.isEmpty }),
      !last.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return false }
    let named = text.hasSuffix(".") ? labels.dropLast() : labels[...]
    return named.allSatisfy { label in
      (1...63).contains(label.utf8.count)
        && label.utf8.allSatisfy {
          (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x5F
        }
    }
  }

  private mutating func proxy(_ field: Field) -> ProxyChoice? {
    guard let text = text(field) else { return nil }
    switch text {
    case "none": return ProxyChoice.none
    case "environment": return .environment
    default: return address(text, of: "proxy", field).map { .url($0) }
    }
  }

  private mutating func services(_ field: Field, _ services: inout RemoteServices) {
    guard let fields = mapping(field, .services) else { return }
    for (key, service) in [
      ("gravatar", \RemoteServices.gravatar), ("libravatar", \.libravatar), ("github", \.github),
    ] {
      guard let field = fields[key], let text = text(field),
        let address = address(text, of: "service", field)
      else { continue }
      services[keyPath: service] = address
    }
  }

  /// What was written is not repeated: there may be a password in it.
  private mutating func address(_ text: String, of kind: String, _ field: Field) -> String? {
    switch RemoteServices.mirror(text) {
    case .success(let address): return address
    case .failure(let failure):
      report(
        .badLink, "this is no address of a \(kind)", field, note: failure.detail,
        help: "write http:// or https://, a host and perhaps a port, without user and password")
      return nil
    }
  }
}

extension NumberRange {
  static let port = NumberRange(
    lowest: 1, highest: 65_535, text: "a port is a whole number from 1 to 65535")
  static let days = NumberRange(
    lowest: 0, highest: 36_500, text: "a time is 0 to 36500 days")
  static let connections = NumberRange(
    lowest: 1, highest: 64, text: "at once are 1 to 64 requests")
}
