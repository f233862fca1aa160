import { writeFileSync } from 'node:fs'
import { expect } from 'chai'
import { openStoreModule } from '../../../src/composition-root/custom-parts/store-module.js'
import { SILENT_LOG } from '../../../src/ports/log.js'
import { temporaryFolder } from '../../support/temporary-folder.js'

/** The modules of this test run in the process of the test and add to this list. */
const noted: string[] = []
Object.assign(globalThis, { notedByStores: noted })

describe('the store of a store module that has a wrong shape', () => {
  const folder = temporaryFolder()
  beforeEach(() => {
    noted.length = 0
  })

  const errorOf = async (name: string, store: string) => {
    const specifier = folder(name)
    writeFileSync(specifier, `export default () => (${store})`)
    return await openStoreModule({ kind: 'module', specifier }, SILENT_LOG).catch((error: unknown) => error)
  }
  const NOTE = "globalThis.notedByStores.push('closed')"

  for (const [name, store] of [
    ['ports.mjs', `{ accounts: {}, close: async () => { ${NOTE} } }`],
    ['synchronous.mjs', `{ sessions: 7, close() { ${NOTE} } }`],
    ['failing.mjs', `{ accounts: {}, close: async () => { ${NOTE}; throw new Error('away') } }`],
  ] as const)
    it(`is closed: ${name}`, async () => {
      expect(String(await errorOf(name, store))).to.contain('The store module opens no store: ')
      expect(noted).to.deep.equal(['closed'])
    })

  for (const [name, store] of [
    ['nothing.mjs', 'undefined'],
    ['null.mjs', 'null'],
    ['without-close.mjs', '{ accounts: {} }'],
    ['number.mjs', '{ accounts: {}, close: 1 }'],
  ] as const)
    it(`is refused if it cannot be closed: ${name}`, async () => {
      expect(String(await errorOf(name, store))).to.contain('The store module opens no store: ')
      expect(noted).to.deep.equal([])
    })
})
