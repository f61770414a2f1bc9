import Build
import Foundation
import Report
import SiteSupport
import TestSupport
import Testing

extension InBrowser {
  /// The report page as a browser opens it.
  struct ReportPageTests {
    private func built() throws -> TestSite {
      let site = try TestSite()
      for number in 0..<12 {
        try site.paint("\(number).png", TestPicture.Pixel(UInt8(number * 20), 80, 120), side: 40)
      }
      let evil = "<script>alert(1)</script>\"'&"
      try site.write(
        (0..<12).map { Person("user \($0)", "\($0).png") } + [Person(evil, "\(evil).png")])
      try site.build(jobs: 2) { $0.reportPage = .standard }
      return site
    }

    private static let labels = """
      [...document.querySelectorAll('svg')].flatMap(svg => {
        const texts = [...svg.querySelectorAll('text')];
        const frame = svg.getBoundingClientRect();
        const boxes = texts.map(t => t.getBoundingClientRect());
        const bad = [];
        boxes.forEach((a, i) => {
          if (a.left < frame.left - 1 || a.right > frame.right + 1) {
            bad.push(texts[i].textContent + ' sticks out');
          }
          boxes.forEach((b, j) => {
            if (i < j && a.left < b.right && b.left < a.right && a.top + 2 < b.bottom
                && b.top + 2 < a.bottom) {
              bad.push(texts[i].textContent + ' over ' + texts[j].textContent);
            }
          });
        });
        return bad;
      })
      """

    @Test(arguments: [390, 1_280], [false, true])
    func `it keeps to its policy, and nothing overlaps or sticks out`(
      width: Int, isDark: Bool
    ) throws {
      let site = try built()
      let page = try Browser().page(width: width, height: 900, isDark: isDark)
      try page.forbidScripts()
      try page.open(file: site.folder.path(of: "cache/report.html"))
      #expect(page.complaints == [])
      #expect(try page.value(of: "document.documentElement.scrollWidth", as: Int.self) <= width)
      #expect(try page.value(of: Self.labels, as: [String].self) == [])
      // The policy allows the style, so charts have their colours.
      let fill: String = try page.value(
        of: "getComputedStyle(document.querySelector('.kind-render')).fill")
      #expect(fill == (isDark ? "rgb(163, 160, 255)" : "rgb(74, 71, 209)"))
      #expect(try page.value(of: "document.scripts.length", as: Int.self) == 0)
    }
  }
}
