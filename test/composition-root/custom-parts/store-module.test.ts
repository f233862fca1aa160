import { writeFileSync } from 'node:fs'
import { expect } from 'chai'
import { openStoreModule } from '../../../src/composition-root/custom-parts/store-module.js'
import { ConfigurationError } from '../../../src/configuration/sentence.js'
import { SILENT_LOG } from '../../../src/ports/log.js'
import { temporaryFolder } from '../../support/temporary-folder.js'

describe('an invalid store module', () => {
  const folder = temporaryFolder()
  /** The modules run in the process of this test and use this global. */
  const noted: string[] = []
  Object.assign(globalThis, { notedByStores: noted })

  const WRONG: Readonly<Record<string, readonly [text: string, sentence: RegExp]>> = {
    'has a syntax error': ['export default {', /^cannot be loaded: SyntaxError: /],
    'exports no function': [
      'export default {}',
      /^must export a function that opens the store, either as default or as openStore$/,
    ],
    rejects: [
      "export default async () => { throw new TypeError('no such table') }",
      /^could not open its store: TypeError: no such table$/,
    ],
    'returns nothing': ['export default () => undefined', /^does not open a store: it is not an object$/],
    'cannot be read': [
      "export default () => ({ get accounts() { throw new Error('away') } })",
      /^does not open a store: it cannot be read$/,
    ],
    'returns an empty object': [
      'export const openStore = async () => ({})',
      /^does not open a store: store has no accounts \(port Accounts\)\n/,
    ],
  }
  const sentenceOf = async (specifier: string) => {
    const error: unknown = await openStoreModule({ kind: 'module', specifier }, SILENT_LOG).catch(
      (reason: unknown) => reason,
    )
    expect(error).to.be.instanceOf(ConfigurationError)
    return (error as ConfigurationError).errors.join('\n').replaceAll(/^The store module /gm, '')
  }
  for (const [name, [text, sentence]] of Object.entries(WRONG))
    it(`is explained in one sentence if it ${name}`, async () => {
      writeFileSync(folder('wrong.mjs'), text)
      expect(await sentenceOf(folder('wrong.mjs'))).to.match(sentence)
    })

  it('is explained in one sentence if it is a package that is not installed', async () => {
    const hint = 'was not found: the current folder contains no such package, and a path must begin with ./'
    expect(await sentenceOf('absent')).to.equal(hint)
  })

  const NOTE = "globalThis.notedByStores.push('closed')"
  for (const [store, notes] of [
    [`{ accounts: {}, close: async () => { ${NOTE}; throw new Error('away') } }`, ['closed']],
    [`{ sessions: 7, close() { ${NOTE} } }`, ['closed']],
    ['{ accounts: {}, close: 1 }', []],
    ['null', []],
  ] as const)
    it(`is rejected if it provides a malformed store, which is closed if possible: ${store}`, async () => {
      noted.length = 0
      writeFileSync(folder('malformed.mjs'), `export default () => (${store})`)
      expect(await sentenceOf(folder('malformed.mjs'))).to.match(/^does not open a store: /)
      expect(noted).to.deep.equal(notes)
    })
})
