/** Returns a Markdown table, whose last columns contain `numbers`. */
export function table(heads, rows, numbers = 0) {
  const marks = heads.map((_, index) => (index < heads.length - numbers ? '---' : '---:'))
  const lines = [heads, marks, ...rows].map((cells) => `| ${cells.join(' | ')} |\n`)
  return `\n${lines.join('')}\n`
}

export function code(text) {
  return `\`${text}\``
}

/** Escapes text that Markdown would interpret as markup; between backticks, only `|` is escaped, because it would end the cell. */
export function cell(text) {
  return text
    .split(/(`[^`]*`)/)
    .map((part, index) =>
      index % 2 === 1 ? part.replaceAll('|', '\\|') : part.replace(/[\\|*_<[\]]/g, '\\$&'),
    )
    .join('')
}
