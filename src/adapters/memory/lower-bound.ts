/** Where the first of them lies that is past, by binary search: none before it is, all after it are. */
export function lowerBound<Item>(items: readonly Item[], isPast: (item: Item) => boolean): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >>> 1
    // `middle` is below the length, so there is an item; it may be anything, `undefined` too.
    if (isPast(items[middle] as Item)) high = middle
    else low = middle + 1
  }
  return low
}
