/// "Did you mean": the nearest of several words.
enum Spelling {
  /// " - did you mean 'rename'?", or nothing where no word is near.
  static func suggestion(for word: String, among candidates: some Sequence<String>) -> String {
    nearest(to: word, among: candidates).map { " - did you mean '\($0)'?" } ?? ""
  }

  /// The candidate with the fewest changed letters; nil where more than a third would change.
  static func nearest(to word: String, among candidates: some Sequence<String>) -> String? {
    let wanted = Array(word.lowercased().utf8.prefix(64))
    var best: (word: String, distance: Int)?
    for candidate in candidates {
      let distance = distance(wanted, Array(candidate.lowercased().utf8.prefix(64)))
      if distance <= max(1, min(wanted.count, 9) / 3), distance < best?.distance ?? .max {
        best = (candidate, distance)
      }
    }
    return best?.word
  }

  /// The number of letters inserted, left out, replaced or swapped with their neighbour.
  static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for row in left.indices {
      var current = [row + 1]
      for column in right.indices {
        let replaced = last[column] + (left[row] == right[column] ? 0 : 1)
        var least = min(replaced, last[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          least = min(least, beforeLast[column - 1] + 1)
        }
        current.append(least)
      }
      beforeLast = last
      last = current
    }
    return last[right.count]
  }
}
