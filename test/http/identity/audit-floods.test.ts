import { expect } from 'chai'
import type { AuditRecord } from '../../../src/domain/audit.js'
import type { AuditSink } from '../../../src/ports/audit-log.js'
import type { Store } from '../../../src/ports/store.js'
import { itWithSessions } from '../../support/http/modes.js'
import { START, type TestOptions } from '../../support/http/service.js'
import { credentials, freshEmail, GET_IDENTITY, newcomer } from '../../support/http/browser.js'
import { resettingsOfTests } from '../../support/http/resetting.js'
import { STORES, storesOfTests } from '../../support/stores.js'

const MINUTE = 60_000
/** So far is the first minute gone when the clock of a test begins. */
const GONE = START % MINUTE
const FLOOD = 40

async function recordsOf(store: Store, event: AuditRecord['event']): Promise<readonly AuditRecord[]> {
  return await store.audit.page({ event, limit: 1_000 })
}

const countsOf = (records: readonly AuditRecord[]) => records.map(({ count }) => count)

for (const { name, open } of STORES) {
  describe(`a flood of refusals in the audit log on the ${name} store`, () => {
    const serve = resettingsOfTests()
    const opened = storesOfTests()

    const start = async (more: TestOptions = {}) => {
      const { store } = await opened(open)
      const options = { store, settings: { trustProxy: 1 }, ...more }
      const [one, two] = [await serve(options), await serve(options)]
      const consume = (address: string, { client } = one.service) =>
        client.call('POST', '/api/auth/reset-password', {
          headers: { 'X-Forwarded-For': address },
          json: { email: freshEmail(), resetToken: 'wrong', password: 'a password of mine' },
        })
      return { store, one, two, consume }
    }

    itWithSessions('is one record a minute of the halves of two sessions, with its count', async () => {
      const { store, one } = await start()
      const victim = await newcomer(one.service)
      const thief = await newcomer(one.service)
      const headers = credentials({ ...thief.held(), cookie: victim.held().cookie })
      const mix = async () => (await one.service.client.call('GET', GET_IDENTITY, { headers })).status
      const statuses = await Promise.all(Array.from({ length: FLOOD }, mix))
      expect(new Set(statuses)).to.deep.equal(new Set([401]))
      one.service.clock.now += MINUTE - GONE - 1
      await mix()
      one.service.clock.now += 1
      await mix()
      const records = await recordsOf(store, 'binding.mismatch')
      expect(countsOf(records)).to.deep.equal([FLOOD + 1, 1])
      expect(records.map(({ at, subject, outcome }) => [at, subject, outcome])).to.deep.equal(
        [START, START - GONE + MINUTE].map((at) => [at, `account:${victim.id}`, 'failure']),
      )
    })

    it('is one record a minute of failed resets from one network, also on two servers', async () => {
      const { store, one, two, consume } = await start()
      await Promise.all(
        Array.from({ length: FLOOD }, (_, n) => consume('192.0.2.1', (n % 2 ? one : two).service)),
      )
      for (const address of ['192.0.2.2', '2001:db8::1', '2001:db8::2']) await consume(address)
      const records = await recordsOf(store, 'reset.done')
      expect(records.map(({ address, count }) => `${address} ${count}`).toSorted()).to.deep.equal([
        '192.0.2.1 40',
        '192.0.2.2 1',
        '2001:db8::1 2',
      ])
    })

    it('is no flood of writes: what follows the first is held back until it is flushed', async () => {
      const writes: unknown[] = []
      const counting: AuditSink = {
        append: async ({ count }) => {
          writes.push(count)
        },
      }
      const { store, one, consume } = await start({
        auditBatched: true,
        auditSinks: ({ audit }) => [audit, counting],
      })
      for (let n = 0; n < FLOOD; n += 1) await consume('192.0.2.1')
      expect(writes).to.deep.equal([1])
      await one.service.useCases.audit.flush()
      await one.service.useCases.audit.flush()
      expect(writes).to.deep.equal([1, FLOOD - 1])
      expect(countsOf(await recordsOf(store, 'reset.done'))).to.deep.equal([FLOOD])
    })
  })
}
