/// Where a card stands, which decides where it leads and which pictures it has.
struct CardSpot {
  /// Of its page, to the output folder.
  var root: String
  /// The page's number, if it is one of those of all people: links stay on it then.
  var peoplePage: Int?
  /// The pictures that it shows; nil for those that every card has.
  var styles: [Int]?

  init(on path: String, peoplePage: Int? = nil, styles: [Int]? = nil) {
    root = GalleryPaths.root(of: path)
    self.peoplePage = peoplePage
    self.styles = styles
  }
}
