/// So many places of a row, as far from each other as can be.
///
/// They are the first, the last, the middle, and ever finer parts, in this order.
/// Where there is room for all of them, all in their order.
package func spreadPlaces(of count: Int, atMost countMax: Int) -> [Int] {
  if count <= countMax { return Array(0..<count) }
  var places: [Int] = []
  var seen: Set<Int> = []
  var parts = 1
  while places.count < countMax {
    for part in 0...parts where places.count < countMax {
      let place = part * (count - 1) / parts
      if seen.insert(place).inserted { places.append(place) }
    }
    parts *= 2
  }
  return places
}
