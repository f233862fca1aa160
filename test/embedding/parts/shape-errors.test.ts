import { expect } from 'chai'
import { createMemoryStore } from '../../../src/adapters/memory/index.js'
import { createScryptHasher } from '../../../src/adapters/scrypt/index.js'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import { openKennel, OptionsError } from '../../../src/index.js'
import type { PasswordHasher } from '../../../src/ports/password-hasher.js'
import { isOptionalPort, type Store } from '../../../src/ports/store.js'
import { DELIVERS, goodOptions } from '../opening.js'
import { PASSWORD } from '../valid-inputs.js'

const caller = OPERATOR
const email = 'rex@pets.example'
const scrypt = createScryptHasher({ cost: { logN: 10, r: 8, p: 1 }, concurrency: 2 })

async function errorsOf(parts: object, store: unknown = 'memory:'): Promise<readonly string[]> {
  const options = goodOptions({ parts, store: store as string })
  const error: unknown = await openKennel(options).catch((reason: unknown) => reason)
  expect(error).to.be.instanceOf(OptionsError)
  return (error as OptionsError).errors
}

describe('a part of the caller’s own that lacks something', () => {
  const SHAPES: Readonly<Record<string, readonly [object, readonly string[]]>> = {
    'a hasher that cannot verify': [
      { hasher: { ...scrypt, verify: undefined } },
      ['parts.hasher has no verify (port PasswordHasher)'],
    ],
    'a hasher that is a function': [
      { hasher: () => scrypt },
      ['parts.hasher is no object (port PasswordHasher)'],
    ],
    'a clock that is an object': [{ clock: { now: Date.now } }, ['parts.clock is no function (port Clock)']],
    'a clock that gives no number': [
      { clock: () => new Date() },
      ['parts.clock breaks its law: it must answer a number (port Clock)'],
    ],
    'a clock that throws': [
      {
        clock: () => {
          throw new Error('stopped')
        },
      },
      ['parts.clock breaks its law: it must answer a number (port Clock)'],
    ],
    'randomness without anything': [
      { randomness: {} },
      [
        'parts.randomness has no base64url (port Randomness)',
        'parts.randomness has no uuid (port Randomness)',
      ],
    ],
    'a blocklist that refuses nothing': [
      { passwordBlocklist: { has: () => false } },
      ['parts.passwordBlocklist has no refuses (port PasswordBlocklist)'],
    ],
    'a mailer that cannot send': [
      { mailer: { ...DELIVERS, send: 'smtp' } },
      ['parts.mailer has no send (port Mailer)'],
    ],
    'templates that cannot be rendered': [
      { mailTemplates: {} },
      ['parts.mailTemplates has no render (port MailTemplates)'],
    ],
    'a log that knows no errors': [{ log: console.log }, ['parts.log is no object (port Log)']],
    'metrics that count only requests and logins': [
      { metrics: { requestAnswered: () => undefined, loginTried: () => undefined } },
      [
        'connectionClosed',
        ...['refreshTried', 'sessionOpened', 'sessionsEnded', 'hashesWaiting', 'hashComputed'],
        ...['hashRefused', 'storeCalled'],
      ].map((name) => `parts.metrics has no ${name} (port Metrics)`),
    ],
    'sinks that are none': [
      { auditSinks: [{ append: async () => undefined }, {}] },
      ['parts.auditSinks[1] has no append (port AuditSink)'],
    ],
    'one sink without a list': [
      { auditSinks: { append: async () => undefined } },
      ['parts.auditSinks is no array'],
    ],
    'an unknown part': [{ hashers: scrypt }, ['parts.hashers is no part; did you mean hasher?']],
    'several parts': [
      { clock: 5, mailer: null },
      ['parts.clock is no function (port Clock)', 'parts.mailer is no object (port Mailer)'],
    ],
  }
  for (const [name, [parts, errors]] of Object.entries(SHAPES)) {
    it(`is a fault of the options: ${name}`, async () => {
      expect(await errorsOf(parts)).to.deep.equal(errors)
    })
  }

  it('is a fault of the options: a store without a port, or with one that lacks a function', async () => {
    const store = createMemoryStore()
    expect(await errorsOf({}, { ...store, sessions: undefined })).to.deep.equal([
      'store has no sessions (port Sessions)',
    ])
    const accounts = { ...store.accounts, holdsResetToken: undefined }
    expect(await errorsOf({}, { ...store, accounts, close: undefined })).to.deep.equal([
      'store.accounts has no holdsResetToken (port Accounts)',
      'store has no close (port Store)',
    ])
  })

  it('is a fault of the options: every port that no store can be without', async () => {
    const errors = await errorsOf({}, new Map())
    const needed = Object.keys(createMemoryStore()).filter((name) => !isOptionalPort(name))
    expect(errors.map((error) => /^store has no (\w+) /u.exec(error)?.[1]).sort()).to.deep.equal(
      needed.sort(),
    )
  })

  it('is a fault of the options: a port that may be absent and is there under a misspelt name', async () => {
    const { apiKeys, audit, ...others } = createMemoryStore()
    const member = (): undefined => undefined
    expect(await errorsOf({}, { ...others, apikeys: apiKeys, audits: audit, role: member })).to.deep.equal([
      'store.apikeys is no port of a store; did you mean apiKeys?',
      'store.audits is no port of a store; did you mean audit?',
    ])
  })

  it('is a fault of the options: a port that may be absent and is there with a function too few', async () => {
    const store = { ...createMemoryStore(), projects: {}, audit: null, roles: Promise.resolve() }
    expect(await errorsOf({}, store)).to.deep.equal([
      'store.roles is a promise: await it first',
      'store.projects has no insert (port Projects)',
      'store.projects has no find (port Projects)',
      'store.projects has no page (port Projects)',
      'store.projects has no close (port Projects)',
      'store.audit is no object (port AuditLog)',
    ])
  })
})

describe('parts of the caller’s own that are instances of classes', () => {
  it('are called as what they are', async () => {
    class Hasher implements PasswordHasher {
      readonly #inner = scrypt
      async hash(...args: Parameters<PasswordHasher['hash']>) {
        return await this.#inner.hash(...args)
      }
      async verify(...args: Parameters<PasswordHasher['verify']>) {
        return await this.#inner.verify(...args)
      }
      isOutdated(...args: Parameters<PasswordHasher['isOutdated']>) {
        return this.#inner.isOutdated(...args)
      }
      recognise(text: string) {
        return this.#inner.recognise(text)
      }
    }
    const inner = createMemoryStore()
    // Every port is a getter of the prototype, as in a class that makes them when they are needed.
    const ports = Object.keys(inner).map((name) => [name, { get: (): unknown => Reflect.get(inner, name) }])
    const store = Object.create(
      Object.create(null, Object.fromEntries(ports) as PropertyDescriptorMap) as object,
    ) as Store
    const kennel = await openKennel(goodOptions({ store, parts: { hasher: new Hasher() } }))
    await kennel.createUser({ caller, email, password: PASSWORD })
    const issued = await kennel.login({ email, password: PASSWORD, presented: {} })
    expect(issued.identity.email).to.equal(email)
    await kennel.close()
  })
})
