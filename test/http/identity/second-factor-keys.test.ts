import { expect } from 'chai'
import type { AccountId } from '../../../src/domain/identity/account.js'
import { guarded, logInWith, STEP } from '../../support/http/factor.js'
import { PASSPHRASE } from '../../support/http/service.js'
import { servicesOfTests } from '../../support/http/services.js'
import { collectingLog } from '../../support/log-collector.js'
import { KEPT, storesOfTests } from '../../support/stores.js'

const NEXT = 'Another-for-tests: 5 kennels & 13 hounds'

describe('a second factor and the passphrase', () => {
  const serve = servicesOfTests()
  const opened = storesOfTests()

  it('is sealed in the store', async () => {
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

  it('goes on with the previous passphrase, and is sealed anew by the first login', async () => {
    const { store } = await opened(KEPT.open)
    const first = await serve({ store })
    const account = await guarded(first)
    const sealed = async () => (await store.secondFactors.find(account.id as AccountId))?.sealedSecret
    const before = await sealed()
    const rotated = await serve({ store, passphrases: { current: NEXT, previous: [PASSPHRASE] } })
    rotated.clock.now += 10 * STEP
    const code = (later: number) => {
      first.clock.now = rotated.clock.now
      return account.code(later)
    }
    expect((await logInWith(rotated, account, code(0))).status).to.equal(200)
    expect(await sealed()).not.to.equal(before)
    const next = await sealed()
    expect((await logInWith(rotated, account, code(1))).status).to.equal(200)
    expect(await sealed(), 'once').to.equal(next)
    const without = await serve({ store, passphrases: { current: NEXT, previous: [] } })
    without.clock.now = rotated.clock.now + 5 * STEP
    rotated.clock.now = without.clock.now
    expect((await logInWith(without, account, code(0))).status).to.equal(200)
  })

  it('accepts no code without the passphrase that has sealed it, says what to do, and takes recovery codes', async () => {
    const { store } = await opened(KEPT.open)
    const first = await serve({ store })
    const account = await guarded(first)
    const { log, lines } = collectingLog()
    const service = await serve({ store, log, passphrases: { current: NEXT, previous: [] } })
    first.clock.now += 10 * STEP
    service.clock.now = first.clock.now
    expect((await logInWith(service, account, account.code())).status).to.equal(401)
    const said = lines.filter(({ event }) => event === 'second factor')
    expect(said).to.have.length(1)
    expect(JSON.stringify(said)).to.contain('SECURITY_JWT_PASSPHRASE_PREVIOUS')
    expect((await logInWith(service, account, account.recoveryCodes[0])).status).to.equal(200)
  })
})
