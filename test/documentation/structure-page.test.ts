import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { blocksOf } from '../support/pages/blocks.js'
import { PROJECT, textOf } from '../support/project.js'

const PAGE = 'docs/contribute/structure.md'

describe('the page on the source structure', () => {
  const page = textOf(PAGE)

  it('describes every source folder, and describes no folder that does not exist', () => {
    const named = Array.from(page.matchAll(/^\| `src\/([a-z-]+)[^`]*`/gm), ([, folder = '']) => folder)
    const folders = readdirSync(join(PROJECT, 'src'), { withFileTypes: true }).filter((one) =>
      one.isDirectory(),
    )
    expect([...new Set(named)].sort()).to.deep.equal(folders.map(({ name }) => name).sort())
  })

  it('draws each folder in its actual position', () => {
    const drawings = blocksOf(PAGE).filter(({ language }) => language === 'mermaid')
    const kinds = drawings.map(({ text }) => text.slice(0, text.indexOf('\n')))
    expect(kinds).to.deep.equal(['flowchart TD', 'sequenceDiagram'])
    const [layers = '', request = ''] = drawings.map(({ text }) => text)
    const boxes = Array.from(
      layers.matchAll(
        /\b(?:[a-z]+\["?)?((?:adapters\/[a-z]+)|(?:domain|ports|application|contracts|configuration|embedding|composition-root|program|http))\b/g,
      ),
      ([, folder = '']) => folder,
    )
    const rooms = Array.from(request.matchAll(/\b((?:koa|http)\/[a-z]+)\b(?!-)/g), ([, room = '']) =>
      room.startsWith('koa') ? `adapters/${room}` : room,
    )
    expect(new Set(boxes).size, 'folders in the drawing of the layers').to.equal(11)
    expect(rooms.length).to.be.greaterThan(1)
    const missing = [...boxes, ...rooms].filter((folder) => !existsSync(join(PROJECT, 'src', folder)))
    expect(missing).to.deep.equal([])
  })
})
