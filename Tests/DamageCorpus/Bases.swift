/// The sound documents that named cases begin with.
package enum Bases {
  /// By name.
  ///
  /// - small: four strokes; two strokes between two pictures; nothing.
  /// - album: three pages with four pictures, one of them on two pages.
  /// - newer: elements, members and numbers that only a newer app or a patient user brings about.
  /// - long: twelve pages.
  /// - empty: no page.
  package static let all: [String: SoundPackage] = [
    "small": SoundPackage(seed: 1, [.strokes(4, samples: 10), .pictures(2), .blank]),
    "album": SoundPackage(seed: 2, [.pictures(2), .pictures(2), .samePicture]),
    "newer": SoundPackage(seed: 5, [.strokes(3, samples: 20), .unknown(2), .pictures(1)], isOdd: true),
    "long": SoundPackage(seed: 4, (0..<12).map { .strokes(2 + $0 % 3, samples: 4) }),
    "empty": SoundPackage(seed: 6, []),
  ]
}
