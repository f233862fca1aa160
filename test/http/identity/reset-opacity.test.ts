import { expect } from 'chai'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import type { Email } from '../../../src/domain/identity/email.js'
import { freshEmail } from '../../support/http/browser.js'
import { comparable, loggedOut } from '../../support/http/expected.js'
import { resettingsOfTests, type Resetting } from '../../support/http/resetting.js'
import { watching } from '../../support/watched-store.js'

describe('the reply to a reset request', () => {
  const serve = resettingsOfTests()
  let resets: Resetting
  let emails: Readonly<Record<'known' | 'withoutPassword' | 'disabled' | 'deleted' | 'unknown', string>>
  let calls: string[] = []
  let hashes = 0
  beforeEach(async () => {
    resets = await serve({
      aroundStore: watching((call, run) => {
        calls.push(call)
        return run()
      }),
      aroundHasher: (hasher) => ({
        ...hasher,
        hash: (password) => {
          hashes += 1
          return hasher.hash(password)
        },
      }),
    })
    const { service } = resets
    const [known, withoutPassword, disabled, deleted, unknown] = Array.from({ length: 5 }, freshEmail) as [
      string,
      string,
      string,
      string,
      string,
    ]
    emails = { known, withoutPassword, disabled, deleted, unknown }
    for (const email of [known, disabled, deleted]) await service.account(email)
    await service.store.accounts.insert({ email: withoutPassword as Email, createdAt: 0 })
    await service.useCases.disableUser({ caller: OPERATOR, email: disabled })
    await service.useCases.deleteUser({ caller: OPERATOR, email: deleted })
    hashes = 0
  })

  it('has the same status, headers and bytes for all emails', async () => {
    const shown = []
    for (const email of Object.values(emails)) shown.push(comparable(await resets.ask(email)))
    expect(shown[0]?.text).to.equal(JSON.stringify(loggedOut(200)))
    for (const one of shown) expect(one).to.deep.equal(shown[0])
  })

  it('costs the same for all emails: one count, one write to the queue, no account lookup, no hash', async () => {
    for (const [what, email] of Object.entries(emails)) {
      calls = []
      expect((await resets.ask(email)).status).to.equal(200)
      expect(calls, what).to.deep.equal(['attempts.take', 'mailQueue.enqueue'])
    }
    expect(hashes).to.equal(0)
  })
})
