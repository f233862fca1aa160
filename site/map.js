import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

export const DOCS = join(import.meta.dirname, '..', 'docs')

const DOOR = /^## (.+)$/
const ENTRY = /^- \[([^\]]+)\]\(([^)#]+\.md)\)/

/** CONTRIBUTING.md lists the pages for contributors, because the package does not contain them. */
const MAPS = [join(DOCS, 'README.md'), join(DOCS, '..', 'CONTRIBUTING.md')]

/** Returns the sections of the handbook in order, each with the titles of its pages and their paths below docs. */
export function doors() {
  const found = []
  for (const [map, line] of MAPS.flatMap(linesOf)) {
    const door = DOOR.exec(line)
    if (door) found.push({ title: door[1], pages: [] })
    const entry = ENTRY.exec(line)
    if (entry) found.at(-1).pages.push({ title: entry[1], path: pathOf(map, entry[2]) })
  }
  return found.filter(({ pages }) => pages.length > 0)
}

function linesOf(map) {
  return readFileSync(map, 'utf8')
    .split('\n')
    .map((line) => [map, line])
}

function pathOf(map, link) {
  return relative(DOCS, join(dirname(map), link)).replaceAll('\\', '/')
}
