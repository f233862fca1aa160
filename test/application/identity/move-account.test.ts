import { expect } from 'chai'
import { createMemoryStore } from '../../../src/adapters/memory/store.js'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import type { Email } from '../../../src/domain/identity/email.js'
import type { PreviousAnswer } from '../../../src/ports/callbacks.js'
import { countingKdf } from '../../support/counting-kdf.js'
import { collectingLog } from '../../support/log-collector.js'
import { oneTimeCode } from '../../support/one-time-code.js'
import { codeOf, refusalOf } from '../../support/refusal-of.js'
import { MISHAPS, watching } from '../../support/watched-store.js'
import { composeUseCases, PASSWORD, START, type UseCaseOptions } from '../../support/use-cases.js'

const caller = OPERATOR
const email = 'ada@example.com'
const SECRET = 'GEZDGNBVGY3TQOJQ'

/** A service with a previous system that returns `answer`, or rejects with it if it is an error. `asked` lists the calls. */
async function moving(answer: PreviousAnswer | Error, options: UseCaseOptions = {}) {
  const asked: string[][] = []
  const verify = async (...call: [Email, string]) => {
    asked.push(call)
    if (answer instanceof Error) throw answer
    return answer
  }
  const kennel = await composeUseCases({ previousAccounts: { verify }, ...options })
  const logIn = (given: { email?: string; password?: string; code?: string } = {}) =>
    kennel.useCases.login({
      email,
      password: PASSWORD,
      presented: { client: { address: '192.0.2.1' } },
      ...given,
    })
  const accounts = () => kennel.store.accounts.page(undefined, 100)
  return { ...kennel, asked, logIn, accounts }
}

const kindOf = (answer: PreviousAnswer | Error) => (answer instanceof Error ? 'with an error' : answer.kind)

describe('a login with an email that only the previous system knows', () => {
  it('creates the account once, with its roles and a hash of this password', async () => {
    const kennel = await moving({ kind: 'account', roles: ['editor'] })
    await kennel.useCases.createRole({ caller, key: 'editor', label: 'Editor' })
    await kennel.audited()
    const password = 'ﬁve quiet rivers'
    const first = await kennel.logIn({ email: ' Ada@Example.com', password })
    expect(first.identity).to.include({ accountId: 1 })
    expect((await kennel.logIn({ password })).identity).to.include({ accountId: 1 })
    expect(kennel.asked).to.deep.equal([['Ada@Example.com', password]])
    const [account, ...others] = await kennel.accounts()
    expect(others).to.deep.equal([])
    expect(account).to.include({ email, enteredEmail: 'Ada@Example.com', createdAt: START })
    expect(account?.roles.map(({ key }) => key)).to.deep.equal(['editor'])
    const events = [
      'user.import anonymous account:1 success from 192.0.2.1',
      'role.assign anonymous account:1 role:editor success from 192.0.2.1',
      ...Array<string>(2).fill('login account:1 account:1 success from 192.0.2.1'),
    ]
    expect(await kennel.audited()).to.deep.equal(events)
  })

  it('creates only one account if there are 16 concurrent logins, all of which succeed', async () => {
    const kennel = await moving({ kind: 'account' }, { hashConcurrency: 32 })
    const logins = await Promise.all(Array.from({ length: 16 }, () => kennel.logIn()))
    for (const { identity } of logins) expect(identity).to.include({ accountId: 1 })
    expect(await kennel.accounts()).to.have.lengthOf(1)
  })

  it('requires the second factor from the previous system, even at the first login', async () => {
    const kennel = await moving({ kind: 'account', totp: { secret: SECRET } })
    expect(await codeOf(kennel.logIn())).to.equal('second-factor-required')
    const code = oneTimeCode(SECRET, START)
    expect((await kennel.logIn({ code })).identity).to.include({ accountId: 1 })
    expect(kennel.asked).to.have.lengthOf(1)
  })

  for (const broken of ['secondFactors.begin', 'secondFactors.activate', 'accounts.setDisabled'])
    it(`completes the account at the next login if ${broken} fails`, async () => {
      const store = createMemoryStore()
      const aroundStore = watching((name, run) => (name === broken ? MISHAPS.fails() : run()))
      const answer = { kind: 'account', totp: { secret: SECRET } } as const
      const failing = await moving(answer, { store: aroundStore(store) })
      expect(await failing.logIn().catch(() => 'failed')).to.equal('failed')
      const wrong = await moving({ kind: 'wrong' }, { store })
      expect(await codeOf(wrong.logIn())).to.equal('login-failed')
      const kennel = await moving(answer, { store })
      expect(await codeOf(kennel.logIn())).to.equal('second-factor-required')
      const code = oneTimeCode(SECRET, START)
      expect((await kennel.logIn({ code })).identity).to.include({ accountId: 1 })
    })

  it('rejects the password if a concurrent call has created the account with a different password', async () => {
    const kennel = await moving({ kind: 'account' })
    let isFirst = true
    const findByEmail: typeof kennel.store.accounts.findByEmail = async (...call) => {
      const found = await kennel.store.accounts.findByEmail(...call)
      if (isFirst) await kennel.account(email)
      isFirst = false
      return found
    }
    const accounts = { ...kennel.store.accounts, findByEmail }
    const racing = await moving({ kind: 'account' }, { store: { ...kennel.store, accounts } })
    expect(await codeOf(racing.logIn({ password: 'another password' }))).to.equal('login-failed')
    expect((await racing.logIn()).identity).to.include({ accountId: 1 })
  })

  for (const answer of [{ kind: 'wrong' }, { kind: 'unknown' }, new Error('timeout')] as const)
    it(`fails like any other login, after one hash, if the previous system answers ${kindOf(answer)}`, async () => {
      const { kdf, calls } = countingKdf()
      const kennel = await moving(answer, { kdf })
      const { messages } = await refusalOf(kennel.logIn())
      expect(messages).to.deep.equal([{ field: 'email', type: 'LoginFailed', message: 'Login Failed' }])
      expect(calls).to.deep.equal(['derive'])
      expect(await kennel.audited()).to.deep.equal(['login anonymous - failure from 192.0.2.1'])
      expect(await kennel.accounts()).to.deep.equal([])
    })

  it('logs the error of the previous system without the password or the email', async () => {
    const sent = `${email} ${PASSWORD}`
    const cause = Object.assign(new Error(sent), { code: 'ECONNREFUSED', name: sent })
    const error = new TypeError(sent, { cause })
    const { log, lines } = collectingLog()
    const kennel = await moving(error, { log })
    await codeOf(kennel.logIn())
    Object.assign(error, { name: 'Timeout', code: 'password1' })
    await codeOf(kennel.logIn({ password: 'password1' }))
    const event = 'the previous system failed; the login was refused'
    expect(lines).to.deep.equal([
      { level: 'warn', event, fields: { detail: 'TypeError ECONNREFUSED' } },
      { level: 'warn', event, fields: { detail: 'Timeout ECONNREFUSED' } },
    ])
  })

  for (const answer of [{ kind: 'wrong' }, new Error('timeout')] as const)
    it(`does not ask the previous system again once its answers (${kindOf(answer)}) have used up the login limit`, async () => {
      const kennel = await moving(answer, { loginLimit: { count: 2, window: 60_000 } })
      for (const code of ['login-failed', 'login-failed', 'too-many-attempts'])
        expect(await codeOf(kennel.logIn())).to.equal(code)
      expect(kennel.asked).to.have.lengthOf(2)
    })

  it('does not ask the previous system about an existing account', async () => {
    const kennel = await moving({ kind: 'account' })
    await kennel.useCases.importUsers({ caller })({ email })
    await kennel.account('bob@example.com')
    for (const one of [email, 'bob@example.com'])
      expect(await codeOf(kennel.logIn({ email: one, password: 'a wrong password' }))).to.equal(
        'login-failed',
      )
    expect(kennel.asked).to.deep.equal([])
  })

  it('creates no account with a role that does not exist', async () => {
    const kennel = await moving({ kind: 'account', roles: ['unheard-of'] })
    const error: unknown = await kennel.logIn().catch((reason: unknown) => reason)
    expect(String(error)).to.contain('a role that does not exist: unheard-of')
    expect(await kennel.accounts()).to.deep.equal([])
  })
})
