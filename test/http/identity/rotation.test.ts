import { expect } from 'chai'
import { identityWith, keep, newcomer, refreshWith, type Held } from '../../support/http/browser.js'
import { PASSPHRASE, startService, type TestOptions, type TestService } from '../../support/http/service.js'
import { KEPT, type OpenedStore } from '../../support/stores.js'

const NEXT = 'Next-for-tests: 5 kennels & 13 hounds'

/**
 * The steps in docs/operate/keys.md: all instances first accept the new key, then sign with it, and finally drop the
 * old key.
 */
const STEPS: readonly NonNullable<TestOptions['passphrases']>[] = [
  { current: PASSPHRASE, previous: [] },
  { current: PASSPHRASE, previous: [NEXT] },
  { current: NEXT, previous: [PASSPHRASE] },
  { current: NEXT, previous: [] },
]

describe('key rotation', () => {
  let opened: OpenedStore
  const instances: TestService[] = []
  before(async () => {
    opened = await KEPT.open()
  })
  after(async () => {
    for (const one of instances) await one.close()
    await opened.remove()
  })

  it('never causes a 401 response with two instances that are replaced one by one', async () => {
    let held: Held | undefined
    for (const passphrases of STEPS)
      for (const index of [0, 1]) {
        const settings = { publicUrl: 'http://127.0.0.1:3000' }
        const next = await startService({ store: opened.store, settings, passphrases })
        await instances[index]?.close()
        instances[index] = next
        held ??= (await newcomer(next)).held()
        for (const one of instances) {
          expect((await identityWith(one, held)).status).to.equal(200)
          const refreshed = await refreshWith(one, held)
          expect(refreshed.status).to.equal(200)
          held = keep(held, refreshed)
          for (const other of instances) expect((await identityWith(other, held)).status).to.equal(200)
        }
      }
  })
})
