import { operations, type PartsOf } from '../../../src/application/index.js'
import type { ProveFactor } from '../../../src/application/identity/second-factor/prove-factor.js'
import type { Account } from '../../../src/domain/identity/account.js'
import type { PasswordHash } from '../../../src/domain/identity/password.js'
import { refuse } from '../../../src/domain/refusal.js'
import { ADA } from '../../support/logins.js'
import { CALLER, CLIENT, fakedParts, type FakedParts } from './faked-parts.js'
import { expect } from 'chai'
import { ANONYMOUS, OPERATOR } from '../../../src/domain/access/caller.js'
import { permitting } from '../../support/permissions.js'
import { refusalOf, wordsOf } from '../../support/refusal-of.js'
import { composeUseCases, PASSWORD, presentedBy, type Composed } from '../../support/use-cases.js'

const email = 'ada@example.com'

describe('login', () => {
  let kennel: Composed

  beforeEach(async () => {
    kennel = await composeUseCases({ loginLimit: { count: 2, window: 60_000 } })
    await kennel.account(email)
    await kennel.audited()
  })

  type Ask = { readonly email?: unknown; readonly password?: unknown; readonly accessToken?: string }
  const login = ({ accessToken, ...ask }: Ask = {}) =>
    kennel.useCases.login({
      email,
      password: PASSWORD,
      ...ask,
      presented: { client: CLIENT, ...(accessToken !== undefined && { accessToken }) },
    })
  const told = async (ask: Ask) => {
    const { code, messages } = await refusalOf(login(ask))
    return [code, ...messages.map(({ field, type }) => [field, type].join(' '))]
  }

  it('reports missing fields and an invalid email', async () => {
    expect(await told({ email: '', password: undefined })).to.deep.equal([
      'login-failed',
      'email Required',
      'password Required',
    ])
    expect(await told({ email: 'ada' })).to.deep.equal(['login-failed', 'email Format'])
    expect(await told({ password: '' })).to.deep.equal(['login-failed', 'password Required'])
    expect(await kennel.audited()).to.deep.equal([])
  })

  it('fails with the same message for a wrong password, an unknown email and a disabled account', async () => {
    const wrong = await told({ password: 'a wrong password' })
    expect(wrong).to.deep.equal(['login-failed', 'email LoginFailed'])
    expect(await told({ email: 'bob@example.com' })).to.deep.equal(wrong)
    await kennel.useCases.disableUser({ caller: OPERATOR, email })
    expect(await told({})).to.deep.equal(wrong)
    const failures = (await kennel.audited()).filter((entry) => entry.startsWith('login'))
    expect(failures).to.deep.equal([
      'login anonymous account:1 failure from 192.0.2.1',
      'login anonymous - failure from 192.0.2.1',
      'login anonymous account:1 failure from 192.0.2.1',
    ])
  })

  it('checks a presented token before anything else, and accepts a token of an ended login', async () => {
    expect((await told({ accessToken: 'no token', email: 7 }))[0]).to.equal('invalid-token')
    const issued = await login()
    await kennel.useCases.logout(presentedBy(issued))
    expect((await login({ accessToken: issued.accessToken })).identity.email).to.equal(email)
    kennel.clock.now += 3_600_000
    expect((await told({ accessToken: issued.accessToken }))[0]).to.equal('invalid-token')
  })

  it('is refused before the email is checked if the role `everyone` lacks the permission to log in or find users', async () => {
    for (const components of [{ auth: ['login'] }, { auth: ['logout'], user: ['find'] }]) {
      kennel = await composeUseCases({ permissions: permitting({ everyone: { components } }) })
      expect((await told({ email: 'ada' }))[0]).to.equal('unauthenticated')
    }
  })
})

describe('login, with fakes', () => {
  const HASH = 'hash' as PasswordHash
  const ADA_HASHED: Account = { ...ADA, passwordHash: HASH }
  let faked: FakedParts
  let started: unknown[]
  let replaced: unknown[]
  let verified: unknown[]
  beforeEach(() => {
    faked = fakedParts()
    started = []
    replaced = []
    verified = []
  })

  type Setting = { readonly account?: Account; readonly outdated?: boolean; readonly fields?: object }
  const judge = async (
    { account = ADA_HASHED, outdated = false, fields = {} }: Setting,
    change: Partial<PartsOf<'login'>> = {},
  ) => {
    const parts = {
      ...faked.parts,
      accounts: {
        findByEmail: async () => account,
        replaceHash: async (...args: unknown[]) => void replaced.push(args),
      },
      hasher: {
        verify: async (...args: unknown[]) => {
          verified.push(args)
          return true
        },
        isOutdated: () => outdated,
        hash: async () => 'next',
      },
      startLogin: async (...args: unknown[]) => {
        started.push(args)
        return { identity: CALLER }
      },
      ...change,
    } as unknown as PartsOf<'login'>
    const presented = { client: CLIENT }
    return await operations.login.factory(parts)({ email, password: PASSWORD, presented, ...fields })
  }
  const FAILURE = { event: 'login', caller: ANONYMOUS, outcome: 'failure', subject: ADA.id, client: CLIENT }
  const hasher = (hash: () => Promise<never>) =>
    ({ verify: async () => true, isOutdated: () => true, hash }) as never

  it('replaces an outdated password hash, and continues if the hasher is overloaded', async () => {
    await judge({ outdated: true })
    expect(replaced).to.deep.equal([[ADA.id, HASH, 'next']])
    const overloaded = () => Promise.reject(refuse('overloaded', 'Unavailable', 'busy'))
    await judge({}, { hasher: hasher(overloaded) })
    expect([started.length, replaced.length]).to.deep.equal([2, 1])
  })

  it("fails with the hasher's error unless the hasher is overloaded", async () => {
    const others = [
      new Error('no memory'),
      refuse('unavailable', 'Unavailable', 'away'),
      Object.assign(new Error(), { code: 'overloaded' }),
    ]
    for (const error of others) {
      const outcome: unknown = await judge({}, { hasher: hasher(() => Promise.reject(error)) }).catch(
        (one: unknown) => one,
      )
      expect(outcome).to.equal(error)
    }
    expect(started).to.deep.equal([])
  })

  it('starts a remembered login only if the client requests this', async () => {
    for (const remember of [true, false, undefined]) await judge({ fields: { remember } })
    expect(started).to.deep.equal([
      [ADA_HASHED, { client: CLIENT }, { remember: true }],
      [ADA_HASHED, { client: CLIENT }, {}],
      [ADA_HASHED, { client: CLIENT }, {}],
    ])
    const wrong = 'malformed | remember Format: must be true or false'
    for (const remember of ['yes', 'true', 1, 0, null, {}])
      expect(await wordsOf(judge({ fields: { remember } }))).to.equal(wrong)
  })

  it('verifies the code only if the account has a second factor', async () => {
    const account: Account = { ...ADA_HASHED, secondFactor: 7 }
    const proofs: unknown[] = []
    const proveFactor: ProveFactor = async (...args) => {
      proofs.push(args)
      return args[1] === '123456' ? 7 : undefined
    }
    const required = 'second-factor-required | code Required: second-factor-required'
    expect(await wordsOf(judge({ account }, { proveFactor }))).to.equal(required)
    expect(await wordsOf(judge({ account, fields: { code: '123456' } }))).to.equal(required)
    expect(await wordsOf(judge({ account, fields: { code: 'wrong' } }, { proveFactor }))).to.equal(
      'login-failed | code LoginFailed: Login Failed',
    )
    expect([faked.entries, started]).to.deep.equal([[FAILURE], []])
    await judge({ account, fields: { code: '123456' } }, { proveFactor })
    await judge({ fields: { code: '123456' } }, { proveFactor })
    expect(proofs).to.deep.equal([
      [account, 'wrong', CLIENT],
      [account, '123456', CLIENT],
    ])
    expect(started).to.deep.equal([
      [account, { client: CLIENT }, { factor: 7 }],
      [ADA_HASHED, { client: CLIENT }, {}],
    ])
    expect(faked.entries.slice(1)).to.deep.equal(
      [1, 2].map(() => ({ event: 'login', caller: CALLER, subject: ADA.id, client: CLIENT })),
    )
    const wrong = { verify: async () => false } as never
    await wordsOf(judge({ account, fields: { code: '123456' } }, { proveFactor, hasher: wrong }))
    expect(proofs, 'no code is checked with a wrong password').to.have.length(2)
  })
})
