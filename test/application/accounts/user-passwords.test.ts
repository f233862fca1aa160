import { expect } from 'chai'
import { OPERATOR, OPERATOR as caller } from '../../../src/domain/access/caller.js'
import type { Email } from '../../../src/domain/identity/email.js'
import { setAllPasswords } from '../../../src/application/accounts/user-passwords.js'
import { readArguments } from '../../../src/application/fields.js'
import { composeResets, type ComposedResets } from '../../support/mail/composed-resets.js'
import { createPostbox, ownTemplates } from '../../support/mail/postbox.js'
import { codeOf, refused, wordsOfCall, wordsOf } from '../../support/refusal-of.js'
import { composeUseCases, PASSWORD, presentedBy, type Composed } from '../../support/use-cases.js'

const email = 'ada@example.com'
const EMAILS = [email, 'bob@example.com', 'cy@example.com']
const NEXT = 'another good password'

describe('setPassword', () => {
  let kennel: Composed

  beforeEach(async () => {
    kennel = await composeUseCases()
    await kennel.account(email)
    await kennel.audited()
  })

  const set = (password: string, of = email) =>
    kennel.useCases.setPassword({ caller: OPERATOR, email: of, password })
  const login = (password: string) => kennel.useCases.login({ email, password, presented: {} })

  it('ends earlier sessions, rejects the old password and accepts the new password', async () => {
    const presented = presentedBy(await login(PASSWORD))
    await set(NEXT, 'ADA@example.com')
    expect(await codeOf(kennel.useCases.getIdentity(presented))).to.equal('invalid-token')
    expect(await codeOf(login(PASSWORD))).to.equal('login-failed')
    expect((await login(NEXT)).identity.email).to.equal(email)
    expect((await kennel.audited())[1]).to.equal('password.set cli:tester account:1 success')
  })

  it('notifies the account if notices are configured', async () => {
    const notices = ['password'] as const
    const mail = { mailer: createPostbox().mailer, templates: ownTemplates() }
    kennel = await composeUseCases({ mail, notices })
    await kennel.account(email)
    await set(NEXT)
    const mails = await kennel.store.mailQueue.listTo(email as Email)
    expect(mails.map(({ kind }) => kind)).to.deep.equal(['password-changed'])
  })
})

describe('setting all passwords', () => {
  let kennel: Composed

  beforeEach(async () => {
    kennel = await composeUseCases()
    for (const email of EMAILS) await kennel.account(email)
    await kennel.audited()
  })

  const login = (email: string, password: string) => kennel.useCases.login({ email, password, presented: {} })

  it('sets a different password for each account, and ends every session', async () => {
    const before = await Promise.all(EMAILS.map((email) => login(email, PASSWORD)))
    const done = await kennel.useCases.setAllPasswords({
      caller: OPERATOR,
      password: ({ email }) => `the password of ${email}`,
    })
    expect(done).to.deep.equal({ matched: 3, save: 3 })
    for (const issued of before)
      expect(await codeOf(kennel.useCases.getIdentity(presentedBy(issued)))).to.equal('invalid-token')
    for (const email of EMAILS)
      expect((await login(email, `the password of ${email}`)).identity.email).to.equal(email)
    const events = (await kennel.audited()).filter((entry) => entry.startsWith('password.set'))
    expect(events).to.deep.equal([1, 2, 3].map((id) => `password.set cli:tester account:${id} success`))
  })

  it('accepts a function that returns a password or a hash for each account', async () => {
    type Read = { readonly password: (account: unknown) => string }
    const read = (given: object) =>
      readArguments([['', setAllPasswords.input]], [{ caller: OPERATOR, ...given }])[0] as Read
    expect(read({ passwordHash: 'hash' })).to.include({ passwordHash: 'hash' })
    expect(read({ password: () => NEXT }).password({})).to.equal(NEXT)
    const malformed = (must: string) => `malformed | password Format: ${must}`
    expect(await wordsOfCall(() => read({ password: NEXT }))).to.equal(malformed('must be a function'))
    const failing = () => {
      throw new Error('no password')
    }
    let caught = 0
    const answer = Object.assign(Promise.resolve(NEXT), { catch: () => (caught += 1) })
    for (const [password, must] of [
      [() => 7, 'must return a string'],
      [() => answer, 'must return a string'],
      [failing, 'must not throw'],
    ] as const)
      expect(await wordsOfCall(() => read({ password }).password({}))).to.equal(malformed(must))
    expect(caught, 'handlers of a rejection').to.equal(1)
  })

  it("rejects a common password before any change, and a password that equals an account's email", async () => {
    const setAll = (password: string, anyLength = false) =>
      kennel.useCases.setAllPasswords({ caller: OPERATOR, password: () => password, anyLength })
    expect(await refused(setAll('password123'))).to.deep.equal(['invalid', 'password', 'NotValid'])
    expect((await login('ada@example.com', PASSWORD)).identity.accountId).to.equal(1)
    expect(await refused(setAll('bob@example'))).to.deep.equal(['invalid', 'password', 'NotValid'])
    expect(await setAll('password123', true)).to.deep.equal({ matched: 3, save: 3 })
  })
})

const ASKED = 'reset.ask cli:tester account:1 success'

describe('the password-reset email that an operator requests', () => {
  let resets: ComposedResets

  beforeEach(async () => {
    resets = await composeResets()
    await resets.account(email)
    await resets.audited()
  })

  const send = () => resets.useCases.sendResetMail({ caller, email: 'ADA@example.com' })

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
})
