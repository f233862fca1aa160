import { expect } from 'chai'
import { systemKdf } from '../../../src/adapters/scrypt/kdf.js'
import type { Kdf } from '../../../src/adapters/scrypt/kdf.js'
import { valueOf } from '../../support/metric-samples.js'
import { createBrowser, freshEmail, newcomer, refreshWith } from '../../support/http/browser.js'
import { guarded, logInWith } from '../../support/http/factor.js'
import { createGate } from '../../support/watched-store.js'
import { meteredServices, STATELESS_MODE } from './metered-services.js'

const LOGINS = 'kennel_logins_total'
const REFRESHES = 'kennel_refreshes_total'
const OPENED = 'kennel_sessions_opened_total'
const ENDED = 'kennel_sessions_ended_total'

describe('metrics of logins and sessions', () => {
  const serve = meteredServices()

  it('count logins that succeed, fail and exceed the limit', async () => {
    const service = await serve({ loginLimit: { count: 2, window: 900_000 } })
    const { email } = await newcomer(service)
    for (let n = 0; n < 3; n += 1) await createBrowser(service, email).login('wrong')
    expect(await service.counts(LOGINS)).to.deep.equal({
      success: 1,
      'login-failed': 2,
      'too-many-attempts': 1,
    })
    expect(await service.counts(OPENED)).to.deep.equal({ '': 1 })
  })

  it('count a missing second-factor code apart from a wrong code', async () => {
    const service = await serve()
    const account = await guarded(service)
    for (const code of [undefined, undefined, 'none']) await logInWith(service, account, code)
    expect(await service.counts(LOGINS)).to.deep.equal({
      success: 1,
      'second-factor-required': 2,
      'login-failed': 1,
    })
  })

  it('distinguish rotated, superseded and replayed refreshes', async () => {
    const service = await serve()
    const browser = await newcomer(service)
    const first = browser.held()
    await browser.refresh()
    await refreshWith(service, first)
    expect(await service.counts(REFRESHES)).to.deep.equal({ rotated: 1, superseded: 1 })
    expect(await service.counts(ENDED)).to.deep.equal({})
    service.clock.now += 60_000
    await refreshWith(service, first)
    expect(await service.counts(REFRESHES)).to.deep.equal({ rotated: 1, superseded: 1, replayed: 1 })
    expect(await service.counts(ENDED)).to.deep.equal({ replayed: 1 })
  })

  it('count a logout, and a login that replaces another session', async () => {
    const service = await serve()
    const browser = await newcomer(service)
    await browser.login()
    expect(await service.counts(ENDED)).to.deep.equal({ ended: 1 })
    await browser.logout()
    expect(await service.counts(ENDED)).to.deep.equal({ ended: 2 })
    expect(await service.counts(OPENED)).to.deep.equal({ '': 2 })
  })

  it('count a refresh without sessions as renewed', async () => {
    const service = await serve(STATELESS_MODE)
    const browser = await newcomer(service)
    await browser.refresh()
    await browser.refresh()
    expect(await service.counts(REFRESHES)).to.deep.equal({ renewed: 2 })
    expect(await service.counts(OPENED)).to.deep.equal({})
  })

  it('count a password hash for each login, even for unknown emails, with its duration', async () => {
    const service = await serve()
    const { email } = await newcomer(service)
    const before = valueOf(await service.text(), 'kennel_password_hash_duration_seconds_count') ?? 0
    await createBrowser(service, email).login('wrong')
    await createBrowser(service, freshEmail()).login('wrong')
    const text = await service.text()
    expect(valueOf(text, 'kennel_password_hash_duration_seconds_count')).to.equal(before + 2)
    expect(valueOf(text, 'kennel_password_hash_wait_seconds_count')).to.equal(before + 2)
    expect(valueOf(text, 'kennel_password_hash_duration_seconds_sum')).to.be.greaterThan(0)
  })

  it('show the queue of hashes while it is full, and the rejected hashes', async () => {
    const gate = createGate()
    let holding = false
    const held: Kdf = {
      ...systemKdf,
      derive: async (...given) => {
        if (holding) await gate.pass()
        return await systemKdf.derive(...given)
      },
    }
    const service = await serve({ kdf: held, hashConcurrency: 1 })
    holding = true
    const login = () => createBrowser(service, 'nobody@example.com').login('wrong')
    const logins = Array.from({ length: 70 }, login)
    // Before the gate opens, one hash is computed, 64 wait, and only rejected logins have their replies.
    const refused = await firstOf(logins, 5)
    const full = await service.text()
    gate.release()
    await Promise.all(logins)
    expect(new Set(refused.map(({ status }) => status))).to.deep.equal(new Set([503]))
    expect(valueOf(full, 'kennel_password_hashes_waiting')).to.equal(64)
    expect(valueOf(full, 'kennel_password_hashes_refused_total')).to.equal(5)
    expect(valueOf(await service.text(), 'kennel_password_hashes_waiting')).to.equal(0)
    expect(await service.counts(LOGINS)).to.deep.equal({ 'login-failed': 65, overloaded: 5 })
  })
})

/** The first `count` replies, in order of arrival. */
function firstOf<T>(all: readonly Promise<T>[], count: number): Promise<readonly T[]> {
  return new Promise((resolve, reject) => {
    const arrived: T[] = []
    for (const one of all)
      one.then((value) => {
        arrived.push(value)
        if (arrived.length === count) resolve([...arrived])
      }, reject)
  })
}
