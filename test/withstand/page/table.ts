/** A table of Markdown; the columns from the first to the second of `numbers` stand on the right. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  [first, last]: readonly [number, number],
): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const rule = head.map((_, column) => (column >= first && column <= last ? '---:' : '---'))
  return [line(head), line(rule), ...rows.map(line)].join('\n')
}
