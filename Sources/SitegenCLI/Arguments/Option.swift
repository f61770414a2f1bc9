/// One `--name` of a command; parser, help and suggestions all come from this value.
package struct Option: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// Present or not.
    case flag
    case text(String)
    case number(String, ClosedRange<Int>)
    /// Any number that fits into 64 bits.
    case seed(String)
    /// `512x384`.
    case size(String)
    case choice([String])
  }

  /// Without the dashes.
  package var name: String
  package var kind: Kind
  /// What help says about leaving it out; nil says nothing.
  package var absent: String?
  /// One sentence without a full stop.
  package var help: String
  package var isHidden: Bool

  package init(
    _ name: String, _ kind: Kind, absent: String? = nil, isHidden: Bool = false, _ help: String
  ) {
    self.name = name
    self.kind = kind
    self.absent = absent
    self.isHidden = isHidden
    self.help = help
  }

  package init(flag name: String, isHidden: Bool = false, _ help: String) {
    self.init(name, .flag, isHidden: isHidden, help)
  }

  package var isFlag: Bool { kind == .flag }

  /// `--jobs N`.
  package var usage: String {
    placeholder.map { "--\(name) \($0)" } ?? "--\(name)"
  }

  private var placeholder: String? {
    switch kind {
    case .flag: nil
    case .text(let word), .number(let word, _), .seed(let word), .size(let word): word
    case .choice(let words): words.joined(separator: "|")
    }
  }
}
