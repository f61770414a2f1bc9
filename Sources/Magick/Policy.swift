import CMagickWand

/// The security policy, which forbids everything except a few formats.
///
/// ImageMagick reads the policy from a private folder before it reads other policies. For limits,
/// the first entry wins, so Debian's 256 MiB memory limit does not apply. For rights, the last
/// entry wins, so another file could loosen the policy. `Canary` tests the policy, because
/// ImageMagick ignores invalid policies. The cache value `anonymous` selects zeroed memory from
/// the kernel, so that rows skipped by a decoder are black instead of showing another picture.
enum Policy {
  static let coders = ["GIF", "JPEG", "PNG", "WEBP"]

  static let memory: UInt64 = 1 << 30
  /// The bytes per pixel: four channels with 16 bits each.
  static let bytesPerPixel: UInt64 = 8
  static let side: UInt64 = 16_384
  /// All limits except time, because ImageMagick exits the process when it exceeds a time limit.
  static let limits: [(name: String, resource: ResourceType, most: UInt64)] = [
    ("memory", MemoryResource, memory), ("map", MapResource, 0), ("disk", DiskResource, 0),
    ("width", WidthResource, side), ("height", HeightResource, side),
    // A limit of 1 would prevent even the first frame from being read.
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
