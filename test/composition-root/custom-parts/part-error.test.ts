import { expect } from 'chai'
import { createMemoryStore } from '../../../src/adapters/memory/index.js'
import { createScryptHasher } from '../../../src/adapters/scrypt/index.js'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import { openKennel, PartError, type Kennel, type KennelParts } from '../../../src/index.js'
import type { AdmitAccount, PreviousAccounts } from '../../../src/ports/callbacks.js'
import type { PasswordBlocklist } from '../../../src/ports/passwords.js'
import type { Store } from '../../../src/ports/store.js'
import { DELIVERS, GENEROUS, goodOptions } from '../../embedding/opening.js'
import { PASSWORD } from '../../embedding/valid-inputs.js'
import { collectingLog } from '../../support/log-collector.js'
import { codeOf } from '../../support/refusal-of.js'

const caller = OPERATOR
const SIGN_UP = {
  roles: {
    everyone: { components: { auth: ['sign-up'] } },
    cli: { components: { user: ['invite'] } },
  },
} as const
const email = 'rex@pets.example'
const scrypt = createScryptHasher({ cost: { logN: 10, r: 8, p: 1 }, concurrency: 2 })

/** An invalid part that an untyped host might pass. */
const broken = (part: unknown): never => part as never

type Broken = { readonly parts?: KennelParts; readonly store?: (store: Store) => object }
type Work = (kennel: Kennel) => Promise<unknown>

/** Returns a store that contains an account for `email`, with some ports replaced. */
async function storeWith(change: (store: Store) => object = () => ({})): Promise<Store> {
  const store = createMemoryStore()
  const kennel = await openKennel(goodOptions({ store, parts: { hasher: scrypt } }))
  await kennel.createUser({ caller, email, password: PASSWORD })
  await kennel.close()
  return { ...store, ...change(store) }
}

/** Opens a Kennel with this broken part, uses it and returns the error. */
async function errorIn({ parts, store }: Broken, work: Work): Promise<PartError> {
  const { log, lines } = collectingLog()
  const given = { hasher: scrypt, mailer: DELIVERS, ...parts, log }
  const options = { store: await storeWith(store), parts: given, permissions: GENEROUS }
  const kennel = await openKennel(goodOptions(options))
  const error: unknown = await work(kennel).then(
    (answer) => ({ answer }),
    (reason: unknown) => reason,
  )
  await kennel.close()
  expect(error).to.be.instanceOf(PartError)
  const broken = error as PartError
  expect(broken).to.include({ code: 'broken-part', name: 'PartError' })
  expect(lines).to.deep.include({
    level: 'error',
    event: 'a custom part breaks its contract',
    fields: { detail: broken.message, error: broken },
  })
  return broken
}

const createUser: Work = (kennel) =>
  kennel.createUser({ caller, email: 'mia@pets.example', password: PASSWORD })
const sendMails: Work = async (kennel) => {
  await kennel.requestPasswordReset({ email, presented: {} })
  return await kennel.sendMails()
}

/** Creates a clock that works once, when the Kennel opens, and then returns NaN. */
function failingClock(): () => number {
  const times = [0]
  return () => times.pop() ?? Number.NaN
}

/** Breaks one call of four parts. `watch.test.ts` covers every call of every part. */
const BROKEN: Readonly<Record<string, readonly [Broken, Work]>> = {
  Clock: [{ parts: { clock: failingClock() } }, createUser],
  'PasswordHasher.hash': [{ parts: { hasher: { ...scrypt, hash: async () => broken(7) } } }, createUser],
  'Mailer.send': [{ parts: { mailer: { ...DELIVERS, send: async () => broken(true) } } }, sendMails],
  'Sessions.purge': [
    { store: ({ sessions }) => ({ sessions: { ...sessions, purge: async () => undefined } }) },
    async (kennel) => await kennel.purgeExpired(),
  ],
}

describe('a custom part that violates the contract of its port', () => {
  const place = ({ port, call }: PartError) => (call === '' ? port : `${port}.${call}`)

  for (const [name, [given, work]] of Object.entries(BROKEN)) {
    it(`is detected by its return value: ${name}`, async () => {
      expect(place(await errorIn(given, work))).to.equal(name)
    })
  }

  it('may throw errors, which are passed on unchanged', async () => {
    const cause = new Error('of the part')
    const hasher = { ...scrypt, hash: async () => await Promise.reject(cause) }
    const kennel = await openKennel(goodOptions({ parts: { hasher } }))
    expect(await createUser(kennel).catch((error: unknown) => error)).to.equal(cause)
    await kennel.close()
  })
})

describe('a custom blocklist', () => {
  it('replaces the built-in list of forbidden passwords', async () => {
    const asked: unknown[] = []
    const refuses: PasswordBlocklist['refuses'] = async (...question) => {
      asked.push(question)
      return question[0] === 'a quiet river' ? 'too-common' : undefined
    }
    const parts = { hasher: scrypt, passwordBlocklist: { refuses } }
    const kennel = await openKennel(goodOptions({ parts }))
    expect(await codeOf(kennel.createUser({ caller, email, password: 'a quiet river' }))).to.equal('invalid')
    await kennel.createUser({ caller, email, password: 'password123' })
    await kennel.close()
    expect(asked).to.deep.equal([
      ['a quiet river', { email }],
      ['password123', { email }],
    ])
  })
})

describe('a custom admitAccount', () => {
  it('decides whether to accept each sign-up, but is not asked about invitations', async () => {
    const asked: unknown[] = []
    const verdicts: unknown[] = ['allow', 'deny', 'challenge', 'perhaps']
    const admitAccount: AdmitAccount = async (admission) => {
      asked.push(admission)
      return broken(verdicts.shift())
    }
    const parts = { hasher: scrypt, mailer: DELIVERS, admitAccount }
    const kennel = await openKennel(goodOptions({ permissions: SIGN_UP, parts }))
    const client = { address: '192.0.2.1' }
    const outcomes: unknown[] = []
    for (const challenge of ['solved', undefined, undefined, undefined])
      outcomes.push(
        await kennel
          .requestSignUp({ email: 'Rex@Pets.Example', challenge, presented: { client } })
          .then(() => 'done', String),
      )
    await kennel.inviteUser({ caller, email })
    await kennel.close()
    expect(asked).to.deep.equal(
      ['solved', undefined, undefined, undefined].map((challenge) => ({ email, client, challenge })),
    )
    expect(outcomes).to.deep.equal([
      'done',
      'Refusal: forbidden: This email cannot be used to sign up.',
      'Refusal: forbidden: challenge-required',
      'PartError: AdmitAccount breaks its contract: it must return allow or deny or challenge',
    ])
  })
})

describe('a custom previousAccounts', () => {
  it('moves an account at its first login, and reports a result that violates the contract', async () => {
    const answers: unknown[] = [
      ...[{ kind: 'right' }, { kind: 'account', roles: [1] }, { kind: 'account', totp: { secret: '!' } }],
      { kind: 'account' },
    ]
    const previousAccounts: PreviousAccounts = { verify: async () => broken(answers.shift()) }
    const kennel = await openKennel(goodOptions({ parts: { hasher: scrypt, previousAccounts } }))
    const outcomes: unknown[] = []
    while (answers.length > 0) {
      const login = kennel.login({ email, password: PASSWORD, presented: {} })
      outcomes.push(await login.then(({ identity }) => identity.email, memberOf))
    }
    await kennel.close()
    expect(outcomes).to.deep.equal(['kind', 'roles', 'totp', email])
  })
})

function memberOf(error: unknown): unknown {
  return error instanceof PartError ? error.member : error
}
