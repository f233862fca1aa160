/** Returns a Markdown table. */
export function table(heads, rows) {
  const lines = [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`)
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
