import Files
import Glibc
import Pages
import Processes
import TestSupport
import Testing

@testable import Campaigns

/// report.html in a browser: what is on it is seen, on a telephone too.
@Suite struct BrowserTests {
  private static let browser = (["/usr/bin/chromium", "/usr/bin/google-chrome"] as [String]).first {
    access($0, X_OK) == 0
  }

  private static func page() throws -> String {
    let blocks: [(CrashPage.Finding.Block, Int)] = [
      (.new, 3), (.zeros, 2), (.torn, 1), (.old, 9), (.earlier, 40), (.missing, 1),
    ]
    let outcomes = (0..<14).map { number -> CampaignRecord.Outcome in
      let words = String(repeating: "x", count: number * 9)
      var finding = Samples.finding("found/\(number)/\(words)", lines: number + 1, failed: number == 3 ? 4 : 10)
      finding.page = PagePairTests.pair(bytes: 9_000)
      if number % 3 == 1 { finding.page?.found = .init(words: "no picture: it cannot be read", jpeg: nil) }
      var crash = CrashPage.Finding(sentence: "x", count: "12 states")
      crash.steps = [
        .init(number: 4, text: "write 0+4096 of Trip.lnote/assets/\(words).jpg", mark: .lost),
        .init(number: nil, text: "the crash", mark: .crash),
      ]
      crash.files = [.init(path: "Trip.lnote/pages/p1-\(words).content", bytes: 4096 * 56, blocks: blocks)]
      finding.crash = crash
      return .failed(finding)
    }
    return CampaignPage(try Samples.summary(outcomes), Samples.facts).html
  }

  /// Looks at the page in frames of some widths, and writes down what it sees.
  private static let onlooker = """
    <!doctype html><title>waiting</title><body><script>
    const widths = [390, 1100], seen = [];
    for (const width of widths) {
      const frame = document.createElement('iframe');
      frame.style = 'border:0;height:800px;width:' + width + 'px';
      frame.onload = () => {
        const page = frame.contentDocument, root = page.documentElement;
        for (const one of page.querySelectorAll('details')) one.open = true;
        const images = [...page.images];
        const links = [...page.querySelectorAll('a')].map(one => one.getAttribute('href'));
        seen.push([width, 'wide ' + root.scrollWidth, 'images ' + images.length,
          'drawn ' + images.filter(one => one.naturalWidth > 0 && one.width > 40).length,
          'wordless ' + images.filter(one => !one.alt).length, 'links ' + links.length,
          'dead ' + links.filter(one => !page.getElementById(one.slice(1))).length].join(', '));
        if (seen.length == widths.length) document.body.textContent = seen.sort().join('; ');
      };
      frame.src = 'report.html';
      document.body.append(frame);
    }
    </script>
    """

  @Test(.enabled(if: browser != nil, "needs Chromium, Debian's package chromium"))
  func everythingIsSeenAndFits() throws {
    let folder = try TemporaryDirectory("browser")
    try folder.volume().make("report.html", text: try Self.page())
    try folder.volume().make("onlooker.html", text: Self.onlooker)
    var launch = Launch(
      try #require(Self.browser),
      [
        "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
        "--allow-file-access-from-files",
        "--user-data-dir=\(folder.text)/profile", "--virtual-time-budget=10000", "--dump-dom",
        "file://\(folder.text)/onlooker.html",
      ])
    launch.hasOwnGroup = true
    let result = try launch.run(limitMilliseconds: 60_000)
    let text = result.outputText
    #expect(
      text.contains(
        "1100, wide 1100, images 23, drawn 23, wordless 0, links 14, dead 0; "
          + "390, wide 390, images 23, drawn 23, wordless 0, links 14, dead 0"), "\(text) \(result.errorText)")
  }
}
