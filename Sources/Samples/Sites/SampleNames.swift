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
