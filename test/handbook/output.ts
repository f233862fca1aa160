/**
 * Returns whether a block shows the actual output. Within a line, `…` matches any text; alone on a line, it matches any
 * number of lines. Trailing spaces are ignored.
 */
export function shows(expected: string, printed: string): boolean {
  const lines = trimmed(expected).split('\n')
  const pattern = lines.map((line) => (line.trim() === '…' ? '(?:.*\\n)*' : `${withGaps(line)}\\n`)).join('')
  return new RegExp(`^${pattern}$`).test(`${trimmed(printed)}\n`)
}

function withGaps(line: string): string {
  return line
    .split('…')
    .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
    .join('.*')
}

function trimmed(text: string): string {
  return text.replaceAll(/[ \t]+$/gm, '').trim()
}
