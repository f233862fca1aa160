/** Names that are given once. */
export function namesFrom(suffix: string): (prefix: string) => string {
  let count = 0
  return (prefix) => {
    count += 1
    return `${prefix}-${String(count)}${suffix}`
  }
}
