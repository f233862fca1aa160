const CELL = /(?:"(?<quoted>[^"]*(?:""[^"]*)*)"|(?<plain>[^",]*))(?:,|(?<end>$))/gy

/** Returns the cells of one CSV record (RFC 4180), or `undefined` if a quote is misplaced. */
export function cellsOf(text: string): readonly string[] | undefined {
  const cells: string[] = []
  for (const { groups = {} } of text.replace(/\r?$/, '').matchAll(CELL)) {
    const { quoted, plain, end } = groups
    cells.push(plain ?? quoted?.replaceAll('""', '"') ?? '')
    if (end !== undefined) return cells
  }
  return undefined
}
