import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { PROJECT } from '../support/project.js'

/** A picture in the handbook; a test that runs with PICTURES=1 creates it. */
export type Picture = {
  /** The page that shows the picture, as a path in the project. */
  readonly shownIn: string
  /** The file of the picture, next to the page. */
  readonly name: string
  readonly size: { readonly width: number; readonly height: number }
  /** The largest size in bytes, because the package contains the picture. */
  readonly limit: number
}

/** The alternative text of the picture must be these words, which a test reads from the page in the browser. */
export async function expectCurrent(picture: Picture, page: Page, words: string): Promise<void> {
  const { shownIn, name } = picture
  const shown = new RegExp(`!\\[([^\\]]*)\\]\\(${name.replace('.', '\\.')}\\)`)
  const handbook = join(PROJECT, shownIn)
  const text = readFileSync(handbook, 'utf8')
  if (process.env['PICTURES']) {
    writeFileSync(pathOf(picture), await page.screenshot({ animations: 'disabled', caret: 'hide' }))
    writeFileSync(
      handbook,
      text.replace(shown, () => `![${words}](${name})`),
    )
  }
  expect(shown.exec(readFileSync(handbook, 'utf8'))?.[1]).to.equal(words)
}

/** Expects that the picture has its required size, and is small enough for the package. */
export function expectSmall(picture: Picture): void {
  const header = readFileSync(pathOf(picture)).subarray(16, 24)
  expect({ width: header.readUInt32BE(0), height: header.readUInt32BE(4) }).to.deep.equal(picture.size)
  expect(statSync(pathOf(picture)).size).to.be.below(picture.limit)
}

const pathOf = ({ shownIn, name }: Picture) => join(PROJECT, shownIn, '..', name)
