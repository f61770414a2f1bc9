/// One entry of a sample manifest's list of users; no value but a colour needs quotes in YAML.
struct SampleUser {
  let id: String
  let name: String
  let avatar: String?
  /// `#rrggbb`.
  let background: String
  let title: String
  let tag: String

  static let csvHeader = "id,name,avatar,background,title,tags\n"

  var csv: String {
    [id, name, avatar ?? "", background, title, tag].joined(separator: ",") + "\n"
  }

  var yaml: String {
    "  - id: \(id)\n    name: \(name)\n" + (avatar.map { "    avatar: \($0)\n" } ?? "")
      + "    background: \"\(background)\"\n    title: \(title)\n    tags: [\(tag)]\n"
  }
}

/// Names that nobody bears: every sample person is an animal or a plant.
enum SampleNames {
  static let words = [
    "Otter", "Fern", "Heron", "Maple", "Badger", "Clover", "Finch", "Juniper", "Lynx", "Willow",
    "Puffin", "Sorrel", "Marten", "Rowan", "Plover", "Aspen", "Hedgehog", "Bramble", "Kestrel",
    "Thistle", "Dormouse", "Alder", "Magpie", "Yarrow", "Stoat", "Hazel", "Curlew", "Bracken",
    "Beaver", "Primrose", "Wren", "Larch", "Seal", "Teasel", "Osprey", "Mallow", "Vole", "Poppy",
    "Lapwing", "Sedge", "Hare", "Linden", "Starling", "Tansy", "Newt", "Elder", "Swift", "Burdock",
    "Gannet", "Gorse", "Toad", "Cowslip", "Dipper", "Spruce", "Shrew", "Nettle", "Egret", "Birch",
    "Wigeon", "Mint",
  ]

  private static let titles = [
    "Gardener", "Baker", "Cartographer", "Engineer", "Librarian", "Carpenter", "Translator",
    "Botanist", "Potter", "Designer", "Astronomer", "Bookbinder", "Cook", "Sailor", "Teacher",
    "Beekeeper",
  ]

  private static let tags = ["design", "field", "founders", "office", "research", "workshop"]

  /// "Sample Otter", and "Sample Otter 2" when the words have run out.
  static func name(_ index: Int) -> String {
    let round = index / words.count
    return "Sample \(words[index % words.count])" + (round > 0 ? " \(round + 1)" : "")
  }

  static func id(_ index: Int) -> String {
    let round = index / words.count
    return words[index % words.count].lowercased() + (round > 0 ? "-\(round + 1)" : "")
  }

  static func title(_ index: Int) -> String { titles[index % titles.count] }

  static func tag(_ index: Int) -> String { tags[index % tags.count] }
}
