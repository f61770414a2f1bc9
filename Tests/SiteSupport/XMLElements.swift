package import FoundationXML

package final class XMLElements: NSObject, XMLParserDelegate {
  package struct Element: Hashable {
    package var name: String
    /// The attributes by name, with the namespace prefix.
    package var attributes: [String: String]
    /// The element's own text, without the text of child elements.
    package var text: String

    package init(name: String, attributes: [String: String], text: String = "") {
      self.name = name
      self.attributes = attributes
      self.text = text
    }
  }

  package struct NotWellFormed: Error {}

  package private(set) var all: [Element] = []
  /// The indices of open elements.
  private var open: [Int] = []

  package init(_ bytes: Data) throws {
    super.init()
    let parser = XMLParser(data: bytes)
    parser.delegate = self
    guard parser.parse() else { throw NotWellFormed() }
  }

  package func named(_ name: String) -> [Element] { all.filter { $0.name == name } }

  package func parser(
    _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
    qualifiedName qName: String?, attributes attributeDict: [String: String]
  ) {
    open.append(all.count)
    all.append(Element(name: elementName, attributes: attributeDict))
  }

  package func parser(_ parser: XMLParser, foundCharacters string: String) {
    if let last = open.last { all[last].text += string }
  }

  package func parser(
    _ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?,
    qualifiedName qName: String?
  ) {
    open.removeLast()
  }
}
