import Bytes
import Fetch
import Glibc
import Testing
import Transfers

@Suite struct AddressTests {
  /// N1: addresses that are not public are rejected.
  @Test(arguments: [
    "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.254",
    "127.0.0.1", "127.0.0.2", "127.255.255.255", "169.254.0.1", "169.254.169.254", "172.16.0.1",
    "172.31.255.255", "192.0.0.1", "192.0.0.192", "192.0.2.1", "192.88.99.1", "192.168.0.1",
    "192.168.255.255", "198.18.0.1", "198.19.255.255", "198.51.100.7", "203.0.113.9", "224.0.0.1",
    "239.255.255.255", "240.0.0.1", "255.255.255.255", "::", "::1", "::2", "::ffff:127.0.0.1",
    "::ffff:8.8.8.8", "::ffff:0:8.8.8.8", "::127.0.0.1", "::8.8.8.8", "64:ff9b::8.8.8.8",
    "64:ff9b::7f00:1", "64:ff9b:1::1", "2002:7f00:1::", "2002:808:808::1", "2001::1",
    "2001:0:4136:e378:8000:63bf:3fff:fdd2", "2001:2::1", "2001:10::1", "2001:20::1",
    "2001:db8::1", "3fff::1", "fc00::1", "fd00::1", "fd00:ec2::254", "fdff:ffff::1", "fe80::1",
    "fe80::1ff:fe23:4567:890a", "febf::1", "fec0::1", "feff::1", "ff00::1", "ff02::1", "ff0e::1",
    "100::1", "100:0:0:1::1", "1::1", "4000::1", "5f00::1", "8000::1", "e000::1",
  ]) func `private and reserved addresses are not public`(text: String) throws {
    let address = try #require(InternetAddress(text))
    #expect(!AddressPolicy.isPublic(address))
    #expect(!AddressPolicy(NetworkPolicy()).allows(address, of: "example.com"))
    #expect(try bytes(text) == address)
  }

  @Test(arguments: [
    "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "93.184.216.34", "100.63.255.255",
    "100.128.0.0", "126.255.255.255", "128.0.0.0", "169.253.255.255", "169.255.0.0",
    "172.15.255.255", "172.32.0.0", "191.255.255.255", "192.0.1.0", "192.0.3.0", "192.167.255.255",
    "192.169.0.0", "198.17.255.255", "198.20.0.0", "203.0.112.255", "203.0.114.0",
    "223.255.255.255", "2000::1", "2001:200::1", "2001:4860:4860::8888", "2001:db7::1",
    "2001:db9::1", "2003::1", "2606:4700::1", "2a00:1450::1", "3ffe::1",
  ]) func `all other addresses are public`(text: String) throws {
    let address = try #require(InternetAddress(text))
    #expect(AddressPolicy.isPublic(address))
    #expect(try bytes(text) == address)
  }

  /// Returns the address that `getaddrinfo` reads from a text.
  private func bytes(_ text: String) throws -> InternetAddress? {
    var hints = unsafe addrinfo()
    unsafe hints.ai_flags = AI_NUMERICHOST
    unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    let code = unsafe getaddrinfo(text, "80", &hints, &found)
    try #require(code == 0)
    defer { unsafe freeaddrinfo(found) }
    guard let first = unsafe found?.pointee, let address = unsafe first.ai_addr else { return nil }
    return unsafe InternetAddress(address, count: Int(first.ai_addrlen))
  }

  @Test func `socket addresses of other families are rejected`() {
    var local = sockaddr_un()
    local.sun_family = sa_family_t(AF_UNIX)
    var short = sockaddr_in()
    short.sin_family = sa_family_t(AF_INET6)
    // Every socket address starts with these fields, and `count` is the structure's real size.
    unsafe withUnsafeBytes(of: &local) { bytes in
      let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
      #expect(unsafe start.flatMap { unsafe InternetAddress($0, count: bytes.count) } == nil)
    }
    unsafe withUnsafeBytes(of: &short) { bytes in
      let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
      #expect(unsafe start.flatMap { unsafe InternetAddress($0, count: bytes.count) } == nil)
    }
  }

  @Test(arguments: [
    "127.1", "2130706433", "0x7f.0.0.1", "0177.0.0.1", "1.2.3", "1.2.3.4.5", "1.2.3.256", "",
    " 1.2.3.4", "1.2.3.4 ", "1.2.3.4\0", "::g", "fe80::1%eth0", "localhost", "[1.2.3.4", "1.2.3.04",
  ]) func `invalid addresses are rejected`(text: String) {
    #expect(InternetAddress(text) == nil)
  }

  @Test func `addresses are printed in canonical form`() {
    for text in ["1.2.3.4", "255.255.255.255", "::1", "2001:db8::1", "fd00:ec2::254"] {
      #expect(InternetAddress(text)?.description == text)
    }
    #expect(InternetAddress("[::1]") == InternetAddress("::1"))
  }

  @Test(arguments: [
    ("10.0.0.0/8", "10.255.255.255", true), ("10.0.0.0/8", "11.0.0.0", false),
    ("10.0.0.0/8", "9.255.255.255", false), ("127.0.0.1", "127.0.0.1", true),
    ("127.0.0.1", "127.0.0.2", false), ("192.168.4.0/22", "192.168.7.255", true),
    ("192.168.4.0/22", "192.168.8.0", false), ("0.0.0.0/0", "255.255.255.255", true),
    ("0.0.0.0/0", "::1", false), ("::/0", "ffff::1", true), ("::/0", "1.2.3.4", false),
    ("fd00::/8", "fdff::1", true), ("fd00::/8", "fe00::1", false), ("::1", "::1", true),
    ("::1", "::2", false), ("::1/128", "::1", true), ("2001:db8:0:8::/61", "2001:db8:0:f::1", true),
    ("2001:db8:0:8::/61", "2001:db8:0:10::1", false),
    ("2001:db8::8000:0:0:0/65", "2001:db8::8000:0:0:1", true),
    ("2001:db8::8000:0:0:0/65", "2001:db8::1", false), ("10.0.0.0/8", "::ffff:10.0.0.1", false),
    ("::ffff:0:0/96", "::ffff:10.0.0.1", true),
  ]) func `a network matches its addresses`(network: String, address: String, holds: Bool) throws {
    let range = try #require(NetworkRange(network))
    #expect(range.contains(try #require(InternetAddress(address))) == holds)
    var reach = NetworkPolicy()
    reach.networks = [network]
    let policy = AddressPolicy(reach)
    let one = try #require(InternetAddress(address))
    #expect(policy.allows(one, of: "a") == (holds || AddressPolicy.isPublic(one)))
  }

  @Test(arguments: [
    "", "/", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/8/8", "10.0.0.1/8",
    "10.0.0.0/ 8", "10/8", "fd00::/129", "fd00::1/8", "[fd00::]/8", "localhost", "example.com/8",
    "10.0.0.0/0008", "10.0.0.0/٨", "*",
  ]) func `invalid networks are rejected`(text: String) {
    #expect(NetworkRange(text) == nil)
    var reach = NetworkPolicy()
    reach.networks = [text]
    #expect(!AddressPolicy(reach).allows(.v4(0x0A00_0001), of: "a"))
  }

  @Test func `only an allowed host may resolve to a private address`() throws {
    var reach = NetworkPolicy()
    reach.hosts = ["Intra.Example.", "[::1]"]
    let policy = AddressPolicy(reach)
    let inside = try #require(InternetAddress("10.0.0.1"))
    for host in ["intra.example", "INTRA.example", "intra.example."] {
      #expect(policy.allows(inside, of: host))
    }
    for host in ["example", "a.intra.example", "intra.example.com", "xintra.example", ""] {
      #expect(!policy.allows(inside, of: host))
    }
    #expect(policy.allows(try #require(InternetAddress("::1")), of: "[::1]"))
  }
}
