import { expect } from 'chai'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import type { Email } from '../../../src/domain/identity/email.js'
import { createPostbox, ownTemplates } from '../../support/mail/postbox.js'
import { codeOf, refused } from '../../support/refusal-of.js'
import { composeUseCases, PASSWORD, presentedBy, type Composed } from '../../support/use-cases.js'

const email = 'ada@example.com'
const EMAILS = [email, 'bob@example.com', 'cy@example.com']
const NEXT = 'another good password'

describe('set password', () => {
  let kennel: Composed

  beforeEach(async () => {
    kennel = await composeUseCases()
    await kennel.account(email)
    await kennel.audited()
  })

  const set = (password: string, of = email) =>
    kennel.useCases.setPassword({ caller: OPERATOR, email: of, password })
  const login = (password: string) => kennel.useCases.login({ email, password, presented: {} })

  it('ends earlier logins, rejects the old password, and accepts the new password', async () => {
    const presented = presentedBy(await login(PASSWORD))
    await set(NEXT, 'ADA@example.com')
    expect(await codeOf(kennel.useCases.getIdentity(presented))).to.equal('invalid-token')
    expect(await codeOf(login(PASSWORD))).to.equal('login-failed')
    expect((await login(NEXT)).identity.email).to.equal(email)
    expect((await kennel.audited())[1]).to.equal('password.set cli:tester account:1 success')
  })

  it('notifies the account if that is configured', async () => {
    const notices = ['password'] as const
    const mail = { mailer: createPostbox().mailer, templates: ownTemplates() }
    kennel = await composeUseCases({ mail, notices })
    await kennel.account(email)
    await set(NEXT)
    const mails = await kennel.store.mailQueue.listTo(email as Email)
    expect(mails.map(({ kind }) => kind)).to.deep.equal(['password-changed'])
  })
})

describe('set all passwords', () => {
  let kennel: Composed

  beforeEach(async () => {
    kennel = await composeUseCases()
    for (const email of EMAILS) await kennel.account(email)
    await kennel.audited()
  })

  const login = (email: string, password: string) => kennel.useCases.login({ email, password, presented: {} })

  it('gives each account its own password, and ends every login', async () => {
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

  it('hashes one password for all accounts with separate salts', async () => {
    await kennel.useCases.setAllPasswords({ caller: OPERATOR, password: () => 'the same for all' })
    const accounts = await kennel.store.accounts.page(undefined, 10)
    expect(new Set(accounts.map(({ passwordHash }) => passwordHash)).size).to.equal(3)
  })

  it('refuses a common password before any change, and an email as a password at its account', async () => {
    const setAll = (password: string, anyLength = false) =>
      kennel.useCases.setAllPasswords({ caller: OPERATOR, password: () => password, anyLength })
    expect(await refused(setAll('password123'))).to.deep.equal(['invalid', 'password', 'NotValid'])
    expect((await login('ada@example.com', PASSWORD)).identity.accountId).to.equal(1)
    expect(await refused(setAll('bob@example'))).to.deep.equal(['invalid', 'password', 'NotValid'])
    expect(await setAll('password123', true)).to.deep.equal({ matched: 3, save: 3 })
  })
})
