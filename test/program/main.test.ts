import { expect } from 'chai'
import { pathToFileURL } from 'node:url'
import { join } from 'node:path'
import { showSourceLines } from '../../src/program/main.js'
import { plant } from '../support/project.js'

type Throwing = { readonly fail: () => Error }

/** Line 2, column 31 of the file corresponds to line 7, column 3 of the source. */
const MAP = { version: 3, sources: ['../../src/one.ts'], names: [], mappings: ';8BAME' }
const CODE = 'export const name = 1\nexport const fail = () => (1, new Error("no"))\n'

describe('stack traces of a bundle', () => {
  const before = Object.getOwnPropertyDescriptor(Error, 'prepareStackTrace')
  let folder: string
  let remove: () => void
  const errorOf = async (file: string) => {
    const { fail } = (await import(pathToFileURL(join(folder, 'dist', 'app', file)).href)) as Throwing
    return fail()
  }

  beforeEach(() => {
    const files = { 'mapped.js': CODE, 'mapped.js.map': JSON.stringify(MAP), 'broken.js': CODE }
    const all = { ...files, 'broken.js.map': '{', 'bare.js': CODE, '../other/mapped.js': CODE }
    const tree = plant({
      'package.json': '{ "type": "module" }',
      ...Object.fromEntries(Object.entries(all).map(([name, text]) => [join('dist/app', name), text])),
    })
    folder = tree.folder
    remove = () => tree.remove()
    showSourceLines(join(folder, 'dist', 'app'))
  })
  afterEach(() => {
    if (before) Object.defineProperty(Error, 'prepareStackTrace', before)
    else Reflect.deleteProperty(Error, 'prepareStackTrace')
    remove()
  })

  it('show the line in the source file', async () => {
    const [head, first] = (await errorOf('mapped.js')).stack?.split('\n') ?? []
    expect([head, first]).to.deep.equal(['Error: no', '    at fail (src/one.ts:7:3)'])
  })

  it('show the compiled file if the source map is missing or broken', async () => {
    for (const file of ['bare.js', 'broken.js'])
      expect((await errorOf(file)).stack).to.match(
        new RegExp(`at fail \\(file:.*/dist/app/${file}:2:\\d+\\)`),
      )
  })

  it('begin like the stack traces of Node.js, for any thrown value', () => {
    const own = Object.assign(new Error('no'), { toString: () => 'of its own' })
    const heads = [own, { name: 'One' }, Object.create(null) as object].map((target) => {
      Error.captureStackTrace(target)
      return (target as Error).stack?.split('\n', 1)
    })
    expect(heads).to.deep.equal([['Error: no'], ['One'], ['Error']])
  })

  it('show an unchanged position for a file outside the bundle', async () => {
    expect((await errorOf('../other/mapped.js')).stack).to.match(
      /at fail \(file:.*\/other\/mapped\.js:2:\d+\)/,
    )
    expect(new Error('here').stack).to.match(/main\.test\.js:\d+:\d+/)
  })
})
