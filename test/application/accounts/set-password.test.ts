import { expect } from 'chai'
import { setPassword } from '../../../src/application/accounts/set-password.js'
import type { AuditTrail } from '../../../src/application/audit/audit-trail.js'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import type { Email } from '../../../src/domain/identity/email.js'
import type { PasswordHash } from '../../../src/domain/identity/password.js'
import { createPostbox, ownTemplates } from '../../support/mail/postbox.js'
import { authorizeByDefault } from '../../support/proofs.js'
import { refusalOf } from '../../support/refusal-of.js'
import { composeUseCases, PASSWORD, presentedBy, type Composed } from '../../support/use-cases.js'

const email = 'ada@example.com'
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
  const codeOf = async (promise: Promise<unknown>) => (await refusalOf(promise)).code

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

  it('needs no notices', async () => {
    const hash = 'a hash' as PasswordHash
    const audit = { record: () => Promise.resolve() } as unknown as AuditTrail
    const parts = { accounts: kennel.store.accounts, hashNewPassword: () => Promise.resolve(hash), audit }
    await setPassword.factory({ ...parts, authorize: authorizeByDefault })({
      caller: OPERATOR,
      email,
      password: NEXT,
    })
    expect((await kennel.store.accounts.findByEmail(email as Email))?.passwordHash).to.equal(hash)
  })
})
