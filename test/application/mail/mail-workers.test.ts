import { expect } from 'chai'
import { createMemoryStore } from '../../../src/adapters/memory/store.js'
import { composeResets, type ComposedResets } from '../../support/mail/composed-resets.js'
import { KEPT, storesOfTests } from '../../support/stores.js'
import { RESET_URL } from '../../support/use-cases.js'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import type { AccountId } from '../../../src/domain/identity/account.js'
import type { Delivery } from '../../../src/ports/mail.js'
import { watching } from '../../support/watched-store.js'
import { createPostbox, fragmentOf, linkIn, tokenIn } from '../../support/mail/postbox.js'

const CLAIM = 2 * 60_000

let made = 0
const accountsOf = async ({ account }: ComposedResets, count: number) => {
  const emails = Array.from({ length: count }, () => `guest-${(made += 1)}@example.com`)
  for (const email of emails) await account(email)
  return emails
}

describe('several mail workers', () => {
  it('wait two minutes if a worker dies while it holds a claimed email, and then send that email', async () => {
    const store = createMemoryStore()
    const dying = createPostbox()
    let takenAt = 0
    const taken = new Promise<void>((resolve) => {
      dying.answer(() => {
        takenAt += 1
        resolve()
        return new Promise<Delivery>(() => undefined)
      })
    })
    const first = await composeResets({ store, postbox: dying })
    const second = await composeResets({ store })
    const [email = '', other = ''] = await accountsOf(first, 2)
    await first.ask(email)
    void first.sendMails()
    await taken
    await second.ask(other)
    expect(await second.sendMails()).to.equal(1)
    second.clock.now += CLAIM - 1
    expect(await second.sendMails()).to.equal(0)
    second.clock.now += 1
    expect(await second.sendMails()).to.equal(1)
    expect(second.postbox.arrived.map(({ to }) => to)).to.deep.equal([other, email])
    expect(takenAt).to.equal(1)
    const [lost = ''] = dying.tried.map(tokenIn)
    expect(await second.consume(email, lost)).to.equal('invalid')
    expect(await second.consume(email, tokenIn(second.postbox.arrived[1]))).to.equal('done')
  })
})

describe(`emails in the ${KEPT.name} store`, () => {
  const opened = storesOfTests()

  it('are sent in order after a restart, even if the service stopped right after its responses', async () => {
    const kept = await opened(KEPT.open)
    const before = await composeResets({ store: kept.store })
    const emails = await accountsOf(before, 10)
    for (const email of emails) {
      before.clock.now += 1
      await before.ask(email)
    }
    await kept.store.close()
    const after = await composeResets({ store: (await opened(kept.again)).store })
    expect(await after.sendMails()).to.equal(10)
    expect(before.postbox.tried).to.deep.equal([])
    expect(after.postbox.arrived.map(({ to }) => to)).to.deep.equal(emails)
    const [mail] = after.postbox.arrived
    expect(await after.consume(emails[0] ?? '', tokenIn(mail))).to.equal('done')
  })
})

describe('an email whose account changes before sending', () => {
  let resets: ComposedResets
  let email: string
  let id: AccountId
  /** Changes the account once, after the worker has read the account and before the worker issues the token. */
  let meanwhile: (() => Promise<unknown>) | undefined
  beforeEach(async () => {
    meanwhile = undefined
    const watched = watching(async (call, run) => {
      const result = await run()
      const happening = call === 'accounts.findByEmail' ? meanwhile : undefined
      if (happening) {
        meanwhile = undefined
        await happening()
      }
      return result
    })
    resets = await composeResets({ store: watched(createMemoryStore()) })
    email = 'ada@example.com'
    id = (await resets.account(email)) as AccountId
  })

  const changes = {
    disabling: () => resets.store.accounts.setDisabled(id, resets.clock.now),
    deletion: () => resets.store.accounts.remove(id),
  }
  for (const [what, change] of Object.entries(changes)) {
    it(`is not sent after ${what}, and is removed from the queue`, async () => {
      await resets.ask(email)
      await change()
      expect(await resets.sendMails()).to.equal(0)
      resets.clock.now += CLAIM
      expect(await resets.sendMails()).to.equal(0)
      expect(resets.postbox.tried).to.deep.equal([])
      expect(await resets.resetRecords()).to.deep.equal(['reset.ask failure 1'])
    })

    it(`is not sent if ${what} happens between reading the account and issuing the token`, async () => {
      await resets.ask(email)
      meanwhile = change
      expect(await resets.sendMails()).to.equal(0)
      expect(meanwhile).to.equal(undefined)
      expect(resets.postbox.tried).to.deep.equal([])
    })
  }

  it('has a valid token if the account is disabled and enabled again between reading the account and issuing the token', async () => {
    const change = async () => {
      await resets.useCases.disableUser({ caller: OPERATOR, email })
      await resets.useCases.enableUser({ caller: OPERATOR, email })
    }
    await resets.ask(email)
    meanwhile = change
    expect(await resets.sendMails()).to.equal(1)
    expect(meanwhile).to.equal(undefined)
    const link = linkIn(resets.postbox.arrived[0])
    expect(link.startsWith(`${RESET_URL}#`)).to.equal(true)
    expect(await resets.consume(email, fragmentOf(link)['resetToken'] ?? '')).to.equal('done')
  })
})
