import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const DOCS = join(import.meta.dirname, '..', 'docs')

const DOOR = /^## (.+)$/
const ENTRY = /^- \[([^\]]+)\]\(([^)#]+\.md)\)/

/** The doors of docs/README.md in order, each with its pages: their titles, and their paths below docs. */
export function doors() {
  const found = []
  for (const line of readFileSync(join(DOCS, 'README.md'), 'utf8').split('\n')) {
    const door = DOOR.exec(line)
    if (door) found.push({ title: door[1], pages: [] })
    const entry = ENTRY.exec(line)
    if (entry) found.at(-1).pages.push({ title: entry[1], path: entry[2] })
  }
  return found.filter(({ pages }) => pages.length > 0)
}
