import { readdirSync, readFileSync } from 'node:fs'
import { expect } from 'chai'
import { textOf } from '../project.js'

export type Block = { readonly page: string; readonly language: string; readonly text: string }

export const ROOT_PAGES = ['README.md', 'CHANGELOG.md', 'SECURITY.md', 'CONTRIBUTING.md']

export function pages(): string[] {
  const inFolder = (folder: string) =>
    readdirSync(folder, { withFileTypes: true }).flatMap((entry): string[] => {
      const path = `${folder}/${entry.name}`
      if (entry.isDirectory()) return inFolder(path)
      return entry.name.endsWith('.md') ? [path] : []
    })
  return [...ROOT_PAGES, ...inFolder('docs')]
}

/** Whether a page belongs to the handbook or links to it; test/handbook runs the steps on these pages. */
export function isOfHandbook(page: string): boolean {
  return page === 'README.md' || /^docs\/(http|operate|embed|contribute)\//.test(page)
}

export function expectShows(page: string, example: string, files: readonly string[]): void {
  const expected = files.map((file) => ({
    page,
    language: `js ${file}`,
    text: textOf('examples', example, file),
  }))
  const names = expected.map(({ language }) => language)
  expect(blocksOf(page).filter(({ language }) => names.includes(language))).to.deep.equal(expected)
}

export function blocksOf(page: string): Block[] {
  const found = readFileSync(page, 'utf8').matchAll(/^```(.*)\n([^]*?)^```$/gm)
  return Array.from(found, ([, language = '', text = '']) => ({ page, language, text }))
}
