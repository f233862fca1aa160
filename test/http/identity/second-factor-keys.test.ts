import { expect } from 'chai'
import { guarded } from '../../support/http/factor.js'
import { servicesOfTests } from '../../support/http/services.js'
import { KEPT, storesOfTests } from '../../support/stores.js'

describe('a second factor and the passphrase', () => {
  const serve = servicesOfTests()
  const opened = storesOfTests()

  it('is encrypted in the store', async () => {
    const { store, contents } = await opened(KEPT.open)
    const account = await guarded(await serve({ store }))
    const stored = await contents()
    expect(stored).to.contain(account.email)
    expect(stored).not.to.contain(account.secret)
    for (const code of account.recoveryCodes) {
      expect(stored).not.to.contain(code)
      expect(stored).not.to.contain(code.replaceAll('-', ''))
    }
  })
})
