/**
 * Whether a block shows what was printed: line by line, where `…` stands for anything within a line, and alone on a
 * line for any number of lines. Blanks at the ends of lines count for nothing.
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
