import CMagickWand

/// Our own security policy: everything is forbidden, then the few formats that we need allowed.
///
/// It is written to a private folder at start and comes first among ImageMagick's policies: the
/// first value of a resource wins, and Debian's would cap memory at 256 MiB. Of rights the last
/// match wins, so another file could loosen them, and ImageMagick silently ignores a policy that it
/// cannot parse. So `Canary` tries what the policy must refuse. Pixels lie in memory that is new from the
/// kernel (`anonymous`, under the names of versions 6 and 7): rows that a decoder leaves out are black,
/// and not of another picture.
enum Policy {
  /// ImageMagick's names of the formats that may be read or written.
  static let coders = ["GIF", "JPEG", "PNG", "WEBP"]

  static let memory: UInt64 = 1 << 30
  /// What ImageMagick keeps for a pixel: four channels of 16 bits.
  static let bytesPerPixel: UInt64 = 8
  static let side: UInt64 = 16_384
  /// What ImageMagick may take of each resource; no time limit, since reaching it exits the process.
  static let limits: [(name: String, resource: ResourceType, most: UInt64)] = [
    ("memory", MemoryResource, memory), ("map", MapResource, 0), ("disk", DiskResource, 0),
    ("width", WidthResource, side), ("height", HeightResource, side),
    // With 1, asking for only the first frame would be an error.
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
