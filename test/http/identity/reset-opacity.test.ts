import { expect } from 'chai'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import type { Email } from '../../../src/domain/identity/email.js'
import { createPostbox } from '../../support/mail/postbox.js'
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

  it('is the same for every invalid token', async () => {
    const good = await resets.mailedToken(emails.known)
    const tries = [...Object.values(emails).map((email) => [email, 'x'.repeat(43)] as const)]
    tries.push([emails.unknown, good], [emails.disabled, good])
    const shown = []
    const asked = []
    for (const [email, token] of tries) {
      calls = []
      shown.push(comparable(await resets.consume(email, token)))
      asked.push(calls)
    }
    expect(shown[0]?.status).to.equal(400)
    for (const one of shown) expect(one).to.deep.equal(shown[0])
    for (const one of asked) expect(one).to.deep.equal(['accounts.holdsResetToken', 'audit.append'])
    expect(hashes).to.equal(0)
  })
})

describe('the reply to a reset request while its mail is sent', () => {
  const serve = resettingsOfTests()

  it('does not wait for the mail', async () => {
    const postbox = createPostbox()
    let release: () => void = () => undefined
    const tried = new Promise<void>((resolve) => {
      postbox.answer(() => {
        resolve()
        return new Promise((settle) => (release = () => settle({ kind: 'sent' })))
      })
    })
    const working: Promise<number>[] = []
    const resets: Resetting = await serve({ postbox, onQueued: () => working.push(resets.sendMails()) })
    const [known, other] = [freshEmail(), freshEmail()]
    await resets.service.account(known)
    const shown = [comparable(await resets.ask(known)), comparable(await resets.ask(other))]
    expect(shown[0]).to.deep.equal(shown[1])
    expect(shown[0]?.status).to.equal(200)
    expect(postbox.arrived).to.deep.equal([])
    await tried
    release()
    await Promise.all(working)
    expect(postbox.arrived).to.have.length(1)
  })
})
