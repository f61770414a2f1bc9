import Manifest
import Testing

struct FoldingTests {
  @Test(arguments: [
    ("Ada Lovelace", "ada lovelace"), ("ÄÖÜ äöü", "aou aou"), ("Straße STRAẞE", "strasse strasse"),
    ("Ægir Œuvre þorn Ðað", "aegir oeuvre thorn dad"),
    ("Łódź Øre Đorđe Ħal Ŧ", "lodz ore dorde hal t"),
    ("İstanbul ısı", "istanbul isi"), ("ﬁnn ﬀ ǆ", "finn ff dz"), ("Ｆｕｌｌ　１２", "full 12"),
    ("e\u{301}\u{327} é", "e e"), ("Ångström Å", "angstrom a"), ("Nguyễn Thị", "nguyen thi"),
    ("ΟΔΟΣ οδός Ώ", "οδοσ οδοσ ω"), ("Жанна Йод Ёж", "жанна иод еж"), ("Ա և", "ա եւ"),
    ("דָּוִד", "דוד"), ("مُحَمَّد", "محمد"), ("क्षितिज", "कषतज"), ("นิภา", "นภา"), ("山田 太郎", "山田 太郎"),
    ("タﾛｳ ガ", "タロウ カ"), ("각", "\u{1100}\u{1161}\u{11A8}"), ("①²", "12"), ("👩🏽‍🚀", "👩🏽‍🚀"), ("𝔘𝔫𝔦", "uni"),
    ("\u{202E}evil", "\u{202E}evil"), ("", ""),
  ])
  func `folding converts text to the form that people type`(text: String, folded: String) {
    // Compares scalars, because `String` treats equivalent spellings as equal.
    #expect(Array(Folding.folded(text).unicodeScalars) == Array(folded.unicodeScalars))
  }

  @Test(arguments: [
    ("Thomas Müller", "thomas mueller"), ("Ho\u{308}ß", "hoess"), ("ÄGIR É", "aegir e"),
    ("Zoë", nil), ("Ada", nil),
  ])
  func `umlauts can also be typed as two letters`(name: String, typed: String?) {
    #expect(Folding.typedWithoutUmlauts(name) == typed)
  }

  @Test func `folding is idempotent`() {
    for value in UInt32(0x20)..<0x3000 {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let once = Folding.folded(String(scalar))
      #expect(Folding.folded(once).utf8.elementsEqual(once.utf8), "\(String(value, radix: 16))")
    }
  }

  @Test(arguments: [
    ("Ada", false), ("ADA 12 <>", false), ("山田", false), ("Jürgen", true), ("Жанна", true),
    ("жанна", false), ("김", true), ("Straße", true),
  ])
  func `lowercasing ASCII letters is not reported as a change`(text: String, changes: Bool) {
    #expect(Folding.changes(text, into: Folding.folded(text)) == changes)
  }
}
