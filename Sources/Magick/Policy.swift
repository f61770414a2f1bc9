import CMagickWand

/// The security policy: forbids everything except a few formats.
///
/// It is written to a private folder, which ImageMagick reads first. The first limit for a resource
/// wins, so Debian's 256 MiB of memory does not apply. For rights, the last match wins, so another
/// policy file could loosen them. `Canary` tests the policy, because invalid ones are ignored.
///
/// With `anonymous` (versions 6 and 7 name it differently), the kernel provides zeroed memory, so
/// rows that a decoder skips are black instead of showing another picture.
enum Policy {
  static let coders = ["GIF", "JPEG", "PNG", "WEBP"]

  static let memory: UInt64 = 1 << 30
  /// A pixel consists of four channels with 16 bits each.
  static let bytesPerPixel: UInt64 = 8
  static let side: UInt64 = 16_384
  /// Resource limits; a time limit is not set, because ImageMagick exits when it is reached.
  static let limits: [(name: String, resource: ResourceType, most: UInt64)] = [
    ("memory", MemoryResource, memory), ("map", MapResource, 0), ("disk", DiskResource, 0),
    ("width", WidthResource, side), ("height", HeightResource, side),
    // If this is 1, reading only the first frame fails.
    ("list-length", ListLengthResource, 2),
    ("thread", ThreadResource, 1),
  ]

  static let xml = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE policymap [
      <!ELEMENT policymap (policy)*>
      <!ATTLIST policymap xmlns CDATA #FIXED "">
      <!ELEMENT policy EMPTY>
      <!ATTLIST policy xmlns CDATA #FIXED "" domain NMTOKEN #REQUIRED
        name NMTOKEN #IMPLIED pattern CDATA #IMPLIED rights NMTOKEN #IMPLIED
        stealth NMTOKEN #IMPLIED value CDATA #IMPLIED>
    ]>
    <policymap>
    \(limits.map { "  <policy domain=\"resource\" name=\"\($0.name)\" value=\"\($0.most)\"/>" }
      .joined(separator: "\n"))
      <policy domain="cache" name="memory-map" value="anonymous"/>
      <policy domain="cache" name="memory" value="anonymous"/>
      <policy domain="path" rights="none" pattern="*"/>
      <policy domain="delegate" rights="none" pattern="*"/>
      <policy domain="filter" rights="none" pattern="*"/>
      <policy domain="module" rights="none" pattern="*"/>
      <policy domain="module" rights="read|write" pattern="{\(coders.joined(separator: ","))}"/>
      <policy domain="coder" rights="none" pattern="*"/>
      <policy domain="coder" rights="read|write" pattern="{\(coders.joined(separator: ","))}"/>
    </policymap>

    """
}
