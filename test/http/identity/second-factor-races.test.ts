import { expect } from 'chai'
import type { AccountId } from '../../../src/domain/identity/account.js'
import { newcomer } from '../../support/http/browser.js'
import type { Reply } from '../../support/http/client.js'
import { CONFIRM, guarded, logInWith, REMOVE, setUp, STEP, viewOf } from '../../support/http/factor.js'
import { oneTimeCode } from '../../support/one-time-code.js'
import { PASSWORD, startService, START, type TestService } from '../../support/http/service.js'
import { STORES, type OpenedStore } from '../../support/stores.js'

const AT_ONCE = 16

/** All at once; how often each status came. */
async function race(
  call: () => Promise<Reply>,
): Promise<{ statuses: Record<string, number>; replies: Reply[] }> {
  const replies = await Promise.all(Array.from({ length: AT_ONCE }, call))
  const statuses: Record<string, number> = {}
  for (const { status } of replies) statuses[status] = (statuses[status] ?? 0) + 1
  return { statuses, replies }
}

for (const { name, open } of STORES) {
  describe(`a second factor that is raced on the ${name} store`, () => {
    let opened: OpenedStore
    let service: TestService
    before(async () => {
      opened = await open()
      service = await startService({ store: opened.store, hashConcurrency: 4 })
    })
    beforeEach(() => {
      service.clock.now = START
    })
    after(async () => {
      await service.close()
      await opened.remove()
    })

    it('is set up 16 times at once, and one of the secrets that were shown is good', async () => {
      const browser = await newcomer(service)
      const { statuses, replies } = await race(() => setUp(browser))
      expect(statuses).to.deep.equal({ 200: AT_ONCE })
      const secrets = replies.map((reply) => String(viewOf(reply)['secret']))
      const statusesOf: number[] = []
      for (const [index, secret] of secrets.entries()) {
        // Wrong codes are limited, which is not what is looked at here.
        if (index % 5 === 4) service.clock.now += 16 * 60_000
        await browser.refresh()
        const json = { code: oneTimeCode(secret, service.clock.now) }
        statusesOf.push((await browser.send('POST', CONFIRM, { json })).status)
        if (statusesOf.at(-1) === 200) break
      }
      expect(statusesOf.at(-1)).to.equal(200)
    })

    it('is confirmed once of 16 times at once, and the recovery codes that are shown are good', async () => {
      const browser = await newcomer(service)
      const secret = String(viewOf(await setUp(browser))['secret'])
      const json = { code: oneTimeCode(secret, service.clock.now) }
      const { replies } = await race(() => browser.send('POST', CONFIRM, { json }))
      const good = replies.filter(({ status }) => status === 200)
      expect(good).to.have.length(1)
      for (const { status } of replies) expect([200, 401, 409, 429]).to.include(status)
      const [code] = viewOf(good[0] as Reply)['recoveryCodes'] as string[]
      expect((await logInWith(service, browser, code)).status).to.equal(200)
    })

    it('opens one session with one code 16 times at once', async () => {
      const account = await guarded(service)
      service.clock.now += 10 * STEP
      const { replies } = await race(() => logInWith(service, account, account.code()))
      expect(replies.filter(({ status }) => status === 200)).to.have.length(1)
      for (const { status } of replies) expect([200, 401, 429]).to.include(status)
    })

    it('opens one session with one recovery code 16 times at once', async () => {
      const account = await guarded(service)
      const [code] = account.recoveryCodes
      const { replies } = await race(() => logInWith(service, account, code))
      expect(replies.filter(({ status }) => status === 200)).to.have.length(1)
      for (const { status } of replies) expect([200, 401, 429]).to.include(status)
      const factor = await service.store.secondFactors.find(account.id as AccountId)
      expect(factor?.recoveryLeft).to.equal(9)
    })

    it('is removed once of 16 times at once', async () => {
      const account = await guarded(service)
      service.clock.now += 10 * STEP
      const json = { password: PASSWORD, code: account.code() }
      const { replies } = await race(() => account.send('POST', REMOVE, { json }))
      expect(replies.filter(({ status }) => status === 200)).to.have.length(1)
      for (const { status } of replies) expect([200, 400, 409, 429]).to.include(status)
      expect(await service.store.secondFactors.find(account.id as AccountId)).to.equal(undefined)
    })
  })
}
