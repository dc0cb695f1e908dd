/// The candidate that `word` may have been meant for, or nil where none is near.
///
/// Near is: at most one change for every three characters of the word, and at least one allowed. A change is a
/// character added, left out, replaced, or swapped with its neighbour. Of two equally near the first one wins.
package func nearest(to word: String, among candidates: [String]) -> String? {
  let characters = Array(word.unicodeScalars.prefix(nearestScalarsMax))
  let limit = max(1, characters.count / 3)
  var best: (distance: Int, candidate: String)?
  for candidate in candidates {
    let distance = changes(from: characters, to: Array(candidate.unicodeScalars.prefix(nearestScalarsMax)))
    if distance <= limit && distance < best?.distance ?? Int.max { best = (distance, candidate) }
  }
  return best?.candidate
}

/// Words longer than this are compared by their beginning only.
private let nearestScalarsMax = 64

/// The least number of changes between two words (optimal string alignment).
private func changes(from left: [Unicode.Scalar], to right: [Unicode.Scalar]) -> Int {
  if left.isEmpty || right.isEmpty { return max(left.count, right.count) }
  var before: [Int] = []
  var above = Array(0...right.count)
  for row in 1...left.count {
    var line = [row]
    for column in 1...right.count {
      let same = left[row - 1] == right[column - 1]
      var least = min(above[column] + 1, line[column - 1] + 1, above[column - 1] + (same ? 0 : 1))
      if row > 1 && column > 1 && left[row - 1] == right[column - 2] && left[row - 2] == right[column - 1] {
        least = min(least, before[column - 2] + 1)
      }
      line.append(least)
    }
    before = above
    above = line
  }
  return above[right.count]
}
