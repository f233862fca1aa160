import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { filesOf, PROJECT } from '../support/project.js'
import { describeInChromium } from './chromium.js'

/** The width in pixels that GitHub leaves for a page on a phone with 390 pixels. */
const NARROW = 358
/** Smaller text is hard to read on a phone. */
const READABLE = 10

/** The defects of a chart in the page: text that is cut off, too small, or over other text. */
const JUDGED = `(() => {
  const drawing = document.querySelector('svg')
  const frame = drawing.getBoundingClientRect()
  const texts = [...drawing.querySelectorAll('text')].map((text) => {
    const size = parseFloat(getComputedStyle(text).fontSize) * frame.width / drawing.viewBox.baseVal.width
    return { said: text.textContent, box: text.getBoundingClientRect(), size }
  })
  const isOver = (a, b) =>
    a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 2 && b.top < a.bottom - 2
  return {
    texts: texts.length,
    cut: texts.filter(({ box }) => box.left < frame.left || box.right > frame.right || box.bottom > frame.bottom).map(({ said }) => said),
    small: texts.filter(({ size }) => size < ${READABLE}).map(({ said }) => said),
    over: texts.filter((a) => texts.some((b) => a !== b && isOver(a.box, b.box))).map(({ said }) => said),
  }
})()`

type Judged = { texts: number; cut: string[]; small: string[]; over: string[] }

describeInChromium('the charts of docs/contribute/performance.md', (chromium) => {
  it('are complete and readable on a phone', async () => {
    const charts = filesOf('docs/contribute/performance')
    expect(charts.length).to.be.greaterThan(3)
    const { page, expectQuiet } = await chromium.visit({ origins: [], viewport: { width: 390, height: 800 } })
    for (const file of charts) {
      const drawn = readFileSync(join(PROJECT, file), 'utf8')
      await page.setContent(`<style>svg { width: ${NARROW}px; height: auto }</style>${drawn}`)
      const { texts, ...wrong } = await page.evaluate<Judged>(JUDGED)
      expect(texts, file).to.be.greaterThan(3)
      expect(wrong, file).to.deep.equal({ cut: [], small: [], over: [] })
    }
    expectQuiet()
  })

  it('are XML', async () => {
    const { page } = await chromium.visit({ origins: [] })
    for (const file of filesOf('docs/contribute/performance')) {
      const drawn = JSON.stringify(readFileSync(join(PROJECT, file), 'utf8'))
      const root = await page.evaluate<string>(
        `new DOMParser().parseFromString(${drawn}, 'image/svg+xml').documentElement.nodeName`,
      )
      expect(root, file).to.equal('svg')
    }
  })
})
