import { expect } from 'chai'
import { OPERATOR as caller } from '../../../src/domain/access/caller.js'
import { createMemoryStore } from '../../../src/adapters/memory/store.js'
import { composeResets, type ComposedResets } from '../../support/mail/composed-resets.js'
import { tokenIn } from '../../support/mail/postbox.js'
import { codeOf, refused, wordsOf } from '../../support/refusal-of.js'
import { composeUseCases } from '../../support/use-cases.js'

const email = 'ada@example.com'
const ASKED = 'reset.ask cli:tester account:1 success'

describe('the password-reset email that an operator requests', () => {
  let resets: ComposedResets

  beforeEach(async () => {
    resets = await composeResets()
    await resets.account(email)
    await resets.audited()
  })

  const send = () => resets.useCases.sendResetMail({ caller, email: 'ADA@example.com' })

  it('is the same email that the owner can request, and contains a token that sets a password', async () => {
    await resets.mailedToken(email)
    await resets.audited()
    await send()
    expect(await resets.audited()).to.deep.equal([ASKED])
    expect(await resets.sendMails()).to.equal(1)
    const [own, sent] = resets.postbox.arrived
    const masked = (mail = own) => JSON.stringify(mail).replaceAll(tokenIn(mail), 'TOKEN')
    expect(masked(sent)).to.equal(masked(own))
    expect(tokenIn(sent)).to.not.equal(tokenIn(own))
    expect(await resets.consume(email, tokenIn(sent))).to.equal('done')
    expect(await resets.audited()).to.deep.equal(['reset.done anonymous account:1 success'])
  })

  it('is not subject to the limit for users, and does not count toward that limit', async () => {
    for (let n = 0; n < 10; n += 1) await send()
    await resets.ask(email)
    await send()
    expect(await resets.sendMails()).to.equal(12)
  })

  it('is sent even if the account is named by its ID and has no password', async () => {
    await resets.useCases.importUsers({ caller })({ email: 'Bob@Example.com' })
    await resets.useCases.sendResetMail({ caller, email: '2' })
    await resets.sendMails()
    expect(resets.postbox.arrived.map(({ to }) => to)).to.deep.equal(['Bob@example.com'])
  })

  it('is refused for a disabled account, and not sent to an account that is disabled afterwards', async () => {
    await send()
    await resets.useCases.disableUser({ caller, email })
    expect(await refused(send())).to.deep.equal(['conflict', 'email', 'Conflict'])
    await resets.mails().siftMails()
    expect(await resets.store.mailQueue.waiting(undefined, resets.clock.now, 10)).to.deep.equal([])
    expect(await resets.audited()).to.deep.equal([ASKED, 'user.disable cli:tester account:1 success'])
  })

  it('is refused if users may not reset passwords', async () => {
    resets = { ...resets, ...(await composeUseCases({ store: resets.store })) }
    expect(await wordsOf(send())).to.equal(
      'conflict | Conflict: Password resets are not set up: permit "auth: reset-password" for the role everyone, and set MAIL_URL.',
    )
    expect(await resets.store.mailQueue.waiting(undefined, resets.clock.now, 10)).to.deep.equal([])
  })

  it('is refused and not audited if too many emails are queued', async () => {
    const { mailQueue, ...others } = createMemoryStore()
    const enqueue = async () => await Promise.resolve('full' as const)
    resets = await composeResets({ store: { ...others, mailQueue: { ...mailQueue, enqueue } } })
    await resets.account(email)
    await resets.audited()
    expect(await codeOf(send())).to.equal('overloaded')
    expect(await resets.audited()).to.deep.equal([])
  })
})
