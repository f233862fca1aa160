import type { AuditEntry } from '../../../src/application/audit/audit-trail.js'
import { operations, type PartsOf } from '../../../src/application/index.js'
import type { Account } from '../../../src/domain/identity/account.js'
import type { PasswordHash } from '../../../src/domain/identity/password.js'
import { ADA, AT, BOSS } from '../../support/logins.js'
import { CALLER } from './second-factor/faked-factor-parts.js'
import { expect } from 'chai'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import { createPostbox, ownTemplates } from '../../support/mail/postbox.js'
import { refusalOf, refused, wordsOf } from '../../support/refusal-of.js'
import { composeUseCases, PASSWORD, presentedBy, type Composed } from '../../support/use-cases.js'

const email = 'ada@example.com'
const NEW = 'the stable door is open'

describe('the change of the own password', () => {
  let kennel: Composed
  let issued: Awaited<ReturnType<Composed['login']>>

  beforeEach(async () => {
    kennel = await composeUseCases()
    await kennel.account(email)
    issued = await kennel.login(email)
    await kennel.audited()
  })

  type Ask = { readonly password?: unknown; readonly newPassword?: unknown }
  const change = (ask: Ask = {}, by = issued) =>
    kennel.useCases.changePassword({
      password: PASSWORD,
      newPassword: NEW,
      ...ask,
      presented: presentedBy(by),
    })

  it('gives a new login with the end of the previous login, and is audited', async () => {
    kennel.clock.now += 60_000
    const next = await change()
    expect(next.endsAt).to.equal(issued.endsAt)
    expect(next.identity.sessionId).to.not.equal(issued.identity.sessionId)
    expect(next.accessToken).to.not.equal(issued.accessToken)
    expect((await kennel.useCases.getIdentity(presentedBy(next))).email).to.equal(email)
    expect((await refusalOf(kennel.useCases.getIdentity(presentedBy(issued)))).code).to.equal('invalid-token')
    expect(await kennel.audited()).to.deep.equal(['password.change account:1 account:1 success'])
    expect((await refusalOf(kennel.login(email))).code).to.equal('login-failed')
  })

  it('names each wrong field before it reads the store', async () => {
    const told = async (ask: Ask) => {
      const { code, messages } = await refusalOf(change(ask))
      return [code, ...messages.map(({ field, type, message }) => `${field} ${type} ${message}`)]
    }
    expect(await told({ password: undefined, newPassword: '' })).to.deep.equal([
      'invalid',
      'password Required required',
      'newPassword Required required',
    ])
    expect(await told({ newPassword: 'short' })).to.deep.equal([
      'invalid',
      'newPassword Length must have 8 to 1024 characters',
    ])
    expect(await told({ newPassword: 'password1' })).to.deep.equal([
      'invalid',
      'newPassword NotValid is one of the commonest passwords: choose another one',
    ])
    expect(await told({ newPassword: PASSWORD })).to.deep.equal([
      'invalid',
      'newPassword NotValid must differ from the current password',
    ])
    expect(await kennel.audited()).to.deep.equal([])
  })

  it('is refused for a wrong password, which is audited and changes nothing', async () => {
    for (const password of ['a wrong password', `${PASSWORD}\u0000`, 'x'.repeat(5_000)])
      expect(await refused(change({ password }))).to.deep.equal(['invalid', 'password', 'NotValid'])
    expect(await kennel.audited()).to.deep.equal(
      [1, 2, 3].map(() => 'password.change account:1 account:1 failure'),
    )
    expect((await kennel.useCases.getIdentity(presentedBy(issued))).email).to.equal(email)
    expect((await kennel.login(email)).identity.email).to.equal(email)
  })

  it('costs one hash for every wrong password, and none if a rule is broken', async () => {
    let computed: string[] = []
    const counted = await composeUseCases({
      store: kennel.store,
      aroundHasher: (hasher) => ({
        ...hasher,
        verify: (...given) => {
          computed.push('verify')
          return hasher.verify(...given)
        },
        hash: (...given) => {
          computed.push('hash')
          return hasher.hash(...given)
        },
      }),
    })
    const ask = async (password: string, newPassword = NEW) => {
      computed = []
      const input = { password, newPassword, presented: presentedBy(issued) }
      await counted.useCases.changePassword(input).catch(() => undefined)
      return computed
    }
    for (const wrong of ['a wrong password', `${PASSWORD}\u0000`, 'x'.repeat(5_000)])
      expect(await ask(wrong)).to.deep.equal(['verify'])
    for (const bad of ['short', 'password1', PASSWORD, '']) expect(await ask(PASSWORD, bad)).to.deep.equal([])
    expect(await ask('')).to.deep.equal([])
    expect(await ask(PASSWORD)).to.deep.equal(['verify', 'hash'])
  })

  it('is refused if another password was set in the meantime, which stays', async () => {
    const { accounts } = kennel.store
    const slow = await composeUseCases({
      store: kennel.store,
      aroundHasher: (hasher) => ({
        ...hasher,
        verify: async (...given) => {
          const answer = await hasher.verify(...given)
          const account = await accounts.findByEmail(email as never)
          if (account)
            await accounts.setPassword(account.id, await hasher.hash('set by an operator' as never))
          return answer
        },
      }),
    })
    const input = { password: PASSWORD, newPassword: NEW, presented: presentedBy(issued) }
    expect(await refused(slow.useCases.changePassword(input))).to.deep.equal([
      'invalid',
      'password',
      'NotValid',
    ])
    expect((await refusalOf(kennel.login(email))).code).to.equal('login-failed')
    const set = kennel.useCases.login({ email, password: 'set by an operator', presented: {} })
    expect((await set).identity.email).to.equal(email)
  })

  it('gives no new login if all logins were ended in the meantime', async () => {
    const { accounts, sessions } = kennel.store
    const slow = await composeUseCases({
      store: kennel.store,
      aroundHasher: (hasher) => ({
        ...hasher,
        verify: async (...given) => {
          const account = await accounts.findByEmail(email as never)
          if (account) await sessions.endAllOf(account.id)
          return await hasher.verify(...given)
        },
      }),
    })
    slow.clock.now += 1_000
    const input = { password: PASSWORD, newPassword: NEW, presented: presentedBy(issued) }
    expect((await refusalOf(slow.useCases.changePassword(input))).code).to.equal('invalid-token')
    expect(await kennel.audited()).to.deep.equal(['password.change account:1 account:1 success'])
    const { accountId } = issued.identity
    const page = { accountId: accountId as never, limit: 10, at: kennel.clock.now }
    expect(await sessions.pageOf(page)).to.deep.equal([])
    const again = await kennel.useCases.login({ email, password: NEW, presented: {} })
    expect(again.identity.email).to.equal(email)
  })

  it('rejects a login that has ended', async () => {
    await kennel.useCases.setPassword({ caller: OPERATOR, email, password: 'set by an operator' })
    const over = change({ password: 'set by an operator' })
    expect((await refusalOf(over)).code).to.equal('invalid-token')
  })

  it('counts wrong passwords like logins, and does not count right passwords', async () => {
    const limited = await composeUseCases({
      store: kennel.store,
      loginLimit: { count: 2, window: 60_000 },
    })
    const client = { address: '192.0.2.1' }
    let by = issued
    let current = PASSWORD
    const ask = (password: string, newPassword: string) =>
      limited.useCases.changePassword({ password, newPassword, presented: { ...presentedBy(by), client } })
    for (const next of [`${NEW} 1`, `${NEW} 2`, `${NEW} 3`]) {
      by = await ask(current, next)
      current = next
    }
    const guesses = await Promise.all([1, 2, 3, 4].map(() => refusalOf(ask('a wrong password', NEW))))
    expect(guesses.map(({ code }) => code).toSorted()).to.deep.equal([
      ...['invalid', 'invalid', 'too-many-attempts', 'too-many-attempts'],
    ])
    expect((await refusalOf(ask(current, NEW))).code).to.equal('too-many-attempts')
    const login = limited.useCases.login({ email, password: current, presented: { client } })
    expect((await refusalOf(login)).code).to.equal('too-many-attempts')
  })

  it('sends a notice, or queues none if mails are off', async () => {
    expect(await change()).to.have.property('accessToken')
    expect(await kennel.store.mailQueue.waiting(undefined, kennel.clock.now, 10)).to.deep.equal([])
    const postbox = createPostbox()
    const mailing = await composeUseCases({ mail: { mailer: postbox.mailer, templates: ownTemplates() } })
    await mailing.account(email)
    const presented = presentedBy(await mailing.login(email))
    await mailing.useCases.changePassword({ password: PASSWORD, newPassword: NEW, presented })
    await mailing.mails().sendMails()
    expect(postbox.arrived.map(({ to }) => to)).to.deep.equal([email])
  })

  it('succeeds even if its notice cannot be queued', async () => {
    const postbox = createPostbox()
    const { mailQueue } = kennel.store
    const full = await composeUseCases({
      store: {
        ...kennel.store,
        mailQueue: { ...mailQueue, enqueue: () => Promise.resolve('full' as const) },
      },
      mail: { mailer: postbox.mailer, templates: ownTemplates() },
    })
    const presented = presentedBy(issued)
    const next = await full.useCases.changePassword({ password: PASSWORD, newPassword: NEW, presented })
    expect((await full.useCases.getIdentity(presentedBy(next))).email).to.equal(email)
  })
})

describe('a password change without sessions', () => {
  for (const mode of ['stateless', 'stateless-revocable'] as const)
    it(`gives a new pair, and the previous pair can neither refresh nor change: ${mode}`, async () => {
      const kennel = await composeUseCases({ mode })
      await kennel.account(email)
      const before = await kennel.login(email)
      const change = (accessToken: string, password: string, newPassword: string) =>
        kennel.useCases.changePassword({ password, newPassword, presented: { accessToken } })
      const next = await change(before.accessToken, PASSWORD, NEW)
      expect((await kennel.useCases.getIdentity(presentedBy(next))).email).to.equal(email)
      const refreshed = kennel.useCases.refresh({ refreshToken: before.refreshToken, presented: {} })
      expect((await refusalOf(refreshed)).code).to.equal('invalid-token')
      const again = change(before.accessToken, NEW, `${NEW} again`)
      expect((await refusalOf(again)).code).to.equal('invalid-token')
    })
})

describe('the change of the own password, with faked parts', () => {
  const HASH = 'hash' as PasswordHash
  const CLIENT = { address: '192.0.2.1' }
  let contexts: unknown[]
  let verified: unknown[]
  let notices: unknown[]
  let begun: unknown[]
  let entries: AuditEntry[]
  beforeEach(() => {
    contexts = []
    verified = []
    notices = []
    begun = []
    entries = []
  })

  type Setting = { readonly account?: Account; readonly epoch?: number; readonly fields?: object }
  const judge = async (
    { account = { ...ADA, passwordHash: HASH }, epoch = ADA.epoch + 1, fields = {} }: Setting = {},
    change: Partial<PartsOf<'changePassword'>> = {},
  ) => {
    const parts = {
      authenticate: async () => ({ ...CALLER, factor: true }),
      authorize: () => undefined,
      accounts: { find: async () => account, changePassword: async () => epoch },
      hasher: {
        verify: async (...args: unknown[]) => verified.push(args) > 0,
        hash: async () => 'next',
      },
      passwordPolicy: async (value: string, context: unknown) => {
        contexts.push(context)
        return { ok: true, value }
      },
      beginLogin: async (...args: unknown[]) => {
        begun.push(args)
        return { accessToken: 'next' }
      },
      notices: { send: async (...args: unknown[]) => void notices.push(args) },
      audit: { record: async (entry: AuditEntry) => void entries.push(entry) },
      ...change,
    } as unknown as PartsOf<'changePassword'>
    const presented = { client: CLIENT }
    return await operations.changePassword.factory(parts)({
      password: PASSWORD,
      newPassword: NEW,
      presented,
      ...fields,
    })
  }

  it('is judged with the email, told to the account, and followed by a login like the one before', async () => {
    expect(await judge()).to.deep.equal({ accessToken: 'next' })
    expect(contexts).to.deep.equal([{ email: ADA.email }])
    expect(notices).to.deep.equal([['own-password', { email: ADA.email, client: CLIENT }]])
    const account = { ...ADA, passwordHash: 'next', epoch: ADA.epoch + 1 }
    expect(begun).to.deep.equal([[account, { endsAt: CALLER.endsAt, factor: true, client: CLIENT }]])
    await judge({}, { notices: undefined })
  })

  it('is rejected if the account has changed since its authentication', async () => {
    for (const account of [
      { ...ADA, disabledAt: AT },
      { ...ADA, epoch: BOSS.epoch },
    ])
      expect(await wordsOf(judge({ account }))).to.match(
        /^invalid-token .*\(the account is gone, disabled or in another epoch\)$/,
      )
    expect(verified).to.deep.equal([])
  })

  it('fails if the account has no password, even if the hasher accepts it', async () => {
    expect(await wordsOf(judge({ account: ADA }))).to.equal('invalid | password NotValid: not-valid')
    expect(verified).to.deep.equal([[PASSWORD, undefined]])
    expect(entries.map(({ outcome }) => outcome)).to.deep.equal(['failure'])
  })
})
