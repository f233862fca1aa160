import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { PROJECT } from '../support/project.js'

/** A picture in the handbook; tests with PICTURES=1 create the file. */
export type Picture = {
  /** The page that shows the picture, as a path in the project. */
  readonly shownIn: string
  /** The name of the image file, which is in the same folder as the page. */
  readonly name: string
  readonly size: { readonly width: number; readonly height: number }
  /** The maximum file size in bytes, which keeps the package small. */
  readonly limit: number
}

/**
 * Expects that the alternative text of the picture equals the result of the expression `inWords` in the current page. Also checks the
 * dimensions and the file size of the picture.
 */
export async function expectCurrent(picture: Picture, page: Page, inWords: string): Promise<void> {
  const { shownIn, name, size, limit } = picture
  const words = await page.evaluate<string>(inWords)
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
  const header = readFileSync(pathOf(picture)).subarray(16, 24)
  expect({ width: header.readUInt32BE(0), height: header.readUInt32BE(4) }).to.deep.equal(size)
  expect(statSync(pathOf(picture)).size).to.be.below(limit)
}

const pathOf = ({ shownIn, name }: Picture) => join(PROJECT, shownIn, '..', name)
