/** A table of Markdown. */
export function table(heads, rows) {
  const lines = [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`)
  return `\n${lines.join('')}\n`
}

export function code(text) {
  return `\`${text}\``
}

/** Text as it is, where Markdown would read a mark in it; what stands in backticks is left alone. */
export function cell(text) {
  return text
    .split(/(`[^`]*`)/)
    .map((part, index) =>
      index % 2 === 1 ? part.replaceAll('|', '\\|') : part.replace(/[\\|*_<[\]]/g, '\\$&'),
    )
    .join('')
}
