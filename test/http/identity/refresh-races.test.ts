import { expect } from 'chai'
import type { AccountId } from '../../../src/domain/identity/account.js'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import type { Reply } from '../../support/http/client.js'
import { startService, type TestService } from '../../support/http/service.js'
import { itWithSessions, rounds } from '../../support/http/modes.js'
import {
  createBrowser,
  credentials,
  identityWith,
  keep,
  LOGOUT,
  refreshWith,
  setCookies,
  type Browser,
  type Held,
} from '../../support/http/browser.js'
import { expectInvalidToken } from '../../support/http/expected.js'
import { STORES, type OpenedStore } from '../../support/stores.js'

const ROUNDS = rounds(100)
const EMAIL = 'racer@example.com'

type Racer = { readonly service: TestService; readonly id: number; readonly held: Held }

/** What ends the session while it is refreshed. */
const ENDS: Readonly<Record<string, (racer: Racer) => Promise<unknown>>> = {
  logout: ({ service, held }) =>
    service.client.call('POST', LOGOUT, { headers: credentials(held), json: {} }),
  'a password change': ({ service }) =>
    service.useCases.setPassword({
      caller: OPERATOR,
      email: EMAIL,
      password: 'correct horse battery',
    }),
  'the end of all sessions': ({ service, id }) => service.store.sessions.endAllOf(id as AccountId),
}

/** The end begins some turns of the event loop after the refresh, or before it where negative. */
async function race(racer: Racer, end: (racer: Racer) => Promise<unknown>, turns: number): Promise<Reply[]> {
  const refreshes = async () => {
    await pause(-turns)
    return await Promise.all([refreshWith(racer.service, racer.held), refreshWith(racer.service, racer.held)])
  }
  const ending = async () => {
    await pause(turns)
    await end(racer)
  }
  const [replies] = await Promise.all([refreshes(), ending()])
  return replies
}

async function pause(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

for (const { name, open } of STORES) {
  for (const [what, end] of Object.entries(ENDS)) {
    describe(`refresh against ${what}, on the ${name} store`, () => {
      let opened: OpenedStore
      let service: TestService
      let browser: Browser
      let id: number
      before(async () => {
        opened = await open()
        service = await startService({ store: opened.store })
        id = await service.account(EMAIL)
        browser = createBrowser(service, EMAIL)
      })
      after(async () => {
        await service.close()
        await opened.remove()
      })

      itWithSessions(`leaves nothing active, ${String(ROUNDS)} times`, async () => {
        for (let round = 0; round < ROUNDS; round += 1) {
          expect((await browser.login()).status).to.equal(200)
          const held = browser.held()
          const replies = await race({ service, id, held }, end, (round % 21) - 10)
          for (const reply of replies) {
            if (reply.status !== 200) expectInvalidToken(reply)
            else expect(setCookies(reply)).to.have.length(1)
          }
          for (const left of [held, ...replies.map((reply) => keep(held, reply))]) {
            expectInvalidToken(await identityWith(service, left), `round ${String(round)}`)
            expectInvalidToken(await refreshWith(service, left), `round ${String(round)}`)
          }
        }
        expect(await service.store.sessions.endAllOf(id as AccountId)).to.equal(0)
      })
    })
  }
}
