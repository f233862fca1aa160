import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { blocksOf } from '../support/pages/blocks.js'
import { filesOf, PROJECT, textOf } from '../support/project.js'

export const SECTIONS = ['http', 'operate', 'embed', 'contribute'] as const
export type Section = (typeof SECTIONS)[number]

export type Step =
  | { readonly kind: 'walk'; readonly text: string }
  /** The output that the reader should see after the walk block above it. */
  | { readonly kind: 'output'; readonly text: string }
  /** A file that the reader creates, in the folder where the page starts. */
  | { readonly kind: 'file'; readonly name: string; readonly text: string }
  /** Checked by a separate test: drawings, commands for a host, a container or MongoDB. */
  | { readonly kind: 'other'; readonly language: string; readonly text: string }

export type Page = ReturnType<typeof readPage>

const WRITTEN = /<!-- (\w+):begin -->[^]*<!-- \1:end -->/
const TABLE_ROW = /^\|.*$/gm

/** Reads a page such as `docs/http/first-login.md`. */
export function readPage(path: string) {
  const text = textOf(path)
  return {
    path,
    text,
    /** The number of words outside tables and outside the generated part between `<!-- …:begin -->` and `<!-- …:end -->`. */
    words: text.replace(WRITTEN, '').replace(TABLE_ROW, '').split(/\s+/).filter(Boolean).length,
    /** Whether a program writes the whole page; such a page may have any length. */
    isGenerated: text.includes('<!-- Written by ') && !WRITTEN.test(text),
    /** The reader's starting point, a key of `STARTS`. */
    start: startIn(text),
    steps: blocksOf(path).map(({ language, text: code }) => stepOf(language, code)),
  }
}

/** Returns a section's pages, if it has any. */
export function pagesOf(section: Section): readonly Page[] {
  if (!existsSync(join(PROJECT, 'docs', section))) return []
  const files = filesOf(`docs/${section}`).filter((file) => file.endsWith('.md'))
  return files.map(readPage)
}

function startIn(text: string): string | undefined {
  const [, sentence] = /^\*\*Start:\*\* ([^]+?)\.(?=\s)/m.exec(text) ?? []
  return sentence?.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1').replaceAll(/\s+/g, ' ')
}

function stepOf(language: string, text: string): Step {
  if (language === 'sh walk') return { kind: 'walk', text }
  if (language === 'output') return { kind: 'output', text }
  const name = /^[a-z]+ (\S*[.]\S+)$/.exec(language)?.[1]
  return name === undefined ? { kind: 'other', language, text } : { kind: 'file', name, text }
}
