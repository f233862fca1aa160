import { expect } from 'chai'
import { inspect } from 'node:util'
import { createMemoryStore } from '../../../src/adapters/memory/index.js'
import { createScryptHasher } from '../../../src/adapters/scrypt/index.js'
import { systemRandomness } from '../../../src/adapters/system/index.js'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import { openKennel, PartError, type Kennel, type KennelParts } from '../../../src/index.js'
import type { Log, LogFields } from '../../../src/ports/log.js'
import type { PasswordBlocklist } from '../../../src/ports/password-blocklist.js'
import type { Store } from '../../../src/ports/store.js'
import { DELIVERS, GENEROUS, goodOptions } from '../opening.js'
import { PASSWORD } from '../valid-inputs.js'

const caller = OPERATOR
const email = 'rex@pets.example'
const scrypt = createScryptHasher({ cost: { logN: 10, r: 8, p: 1 }, concurrency: 2 })

/** What a host without types may hand over as a part. */
const broken = (part: unknown): never => part as never

type Line = { readonly event: string; readonly fields: LogFields | undefined }

function listeningLog(): { readonly log: Log; readonly errors: Line[] } {
  const errors: Line[] = []
  const silent = () => undefined
  const error = (event: string, fields?: LogFields) => void errors.push({ event, fields })
  return { log: { debug: silent, info: silent, warn: silent, error, enabled: () => true }, errors }
}

type Broken = { readonly parts?: KennelParts; readonly store?: Store }

/** Opens a Kennel with this part broken, lets it work and gives the fault that came of it. */
async function errorIn(given: Broken, work: (kennel: Kennel) => Promise<unknown>): Promise<PartError> {
  const { log, errors } = listeningLog()
  const { parts, store = createMemoryStore() } = given
  const kennel = await openKennel(
    goodOptions({ store, permissions: GENEROUS, parts: { hasher: scrypt, mailer: DELIVERS, ...parts, log } }),
  )
  const error: unknown = await work(kennel).then(
    (answer) => ({ answer }),
    (reason: unknown) => reason,
  )
  await kennel.close()
  expect(error).to.be.instanceOf(PartError)
  const fault = error as PartError
  expect(fault).to.include({ code: 'broken-part', name: 'PartError' })
  expect(errors).to.deep.include({
    event: 'a part breaks its law',
    fields: { detail: fault.message, error: fault },
  })
  return fault
}

const createUser = async (kennel: Kennel) => await kennel.createUser({ caller, email, password: PASSWORD })
const importUser = async (kennel: Kennel) =>
  await kennel.importUsers({ caller })({ email, passwordHash: 'hash' })
const login = async (kennel: Kennel) => await kennel.login({ email, password: PASSWORD, presented: {} })

/** A store that holds an account, one port of which answers otherwise. */
async function storeWith(change: (store: Store) => object): Promise<Store> {
  const store = createMemoryStore()
  const kennel = await openKennel(goodOptions({ store, parts: { hasher: scrypt } }))
  await createUser(kennel)
  await kennel.close()
  return { ...store, ...change(store) }
}

describe('a part of the caller’s own that breaks a law of its port', () => {
  const place = ({ port, call }: PartError) => (call === '' ? port : `${port}.${call}`)

  it('is named, with the law, in the error', async () => {
    const hasher = { ...scrypt, verify: async () => broken({}) }
    const error = await errorIn({ parts: { hasher } }, login)
    expect(error.message).to.equal(
      'PasswordHasher.verify breaks its law: it must answer true or false, and false where there is no password or no hash',
    )
  })

  for (const time of [Number.NaN, undefined, '2026', Promise.resolve(0), Number.POSITIVE_INFINITY]) {
    it(`is a clock that answers ${inspect(time)} at last`, async () => {
      let first = true
      const clock = () => {
        const now = first ? 0 : broken(time)
        first = false
        return now
      }
      expect(place(await errorIn({ parts: { clock } }, createUser))).to.equal('Clock')
    })
  }

  const HASHERS: Readonly<Record<string, [object, (kennel: Kennel) => Promise<unknown>]>> = {
    hash: [{ hash: async () => Buffer.from('hash') }, createUser],
    recognise: [{ recognise: () => true }, importUser],
    verify: [{ verify: async () => 'yes' }, login],
  }
  for (const [name, [change, work]] of Object.entries(HASHERS)) {
    it(`is a hasher whose ${name} answers of another type`, async () => {
      const hasher = broken({ ...scrypt, ...change })
      expect(place(await errorIn({ parts: { hasher } }, work))).to.equal(`PasswordHasher.${name}`)
    })
  }

  it('is a hasher whose isOutdated answers with a promise', async () => {
    const hasher = broken({ ...scrypt, isOutdated: async () => true })
    const store = await storeWith(() => ({}))
    expect(place(await errorIn({ parts: { hasher }, store }, login))).to.equal('PasswordHasher.isOutdated')
  })

  it('is a hasher that finds a password right where there is no hash, and no session is opened', async () => {
    const hasher = { ...scrypt, verify: async () => true }
    const kennelWork = async (kennel: Kennel) => {
      await kennel.importUsers({ caller })({ email })
      return await login(kennel)
    }
    expect(place(await errorIn({ parts: { hasher } }, kennelWork))).to.equal('PasswordHasher.verify')
  })

  it('is a blocklist that answers something else than why, and no account is made', async () => {
    for (const answer of [true, false, null, 'breached']) {
      const store = createMemoryStore()
      const passwordBlocklist = { refuses: async () => broken(answer) }
      const error = await errorIn({ parts: { passwordBlocklist }, store }, createUser)
      expect(place(error)).to.equal('PasswordBlocklist.refuses')
      expect(await store.accounts.page(undefined, 1)).to.deep.equal([])
    }
  })

  it('is randomness that gives less than it is asked for', async () => {
    const randomness = { ...systemRandomness, base64url: () => 'abc' }
    const store = await storeWith(() => ({}))
    expect(place(await errorIn({ parts: { randomness }, store }, login))).to.equal('Randomness.base64url')
  })

  it('is randomness whose UUID is none', async () => {
    const randomness = { ...systemRandomness, uuid: () => '1' }
    const createRole = async (kennel: Kennel) => await kennel.createRole({ caller, key: 'admin', label: 'A' })
    expect(place(await errorIn({ parts: { randomness } }, createRole))).to.equal('Randomness.uuid')
  })

  it('is a store that finds an account other than the one asked for, and no session is opened', async () => {
    const store = await storeWith(({ accounts }) => ({
      accounts: {
        ...accounts,
        findByEmail: async () => ({
          id: 1,
          email: 'a@b.example',
          epoch: 1,
          roles: [],
        }),
      },
    }))
    expect(place(await errorIn({ store }, login))).to.equal('Accounts.findByEmail')
  })

  it('is a store that finds something without an account or null', async () => {
    for (const found of [null, {}, { id: 1 }, 'account']) {
      const store = await storeWith(({ accounts }) => ({
        accounts: { ...accounts, findByEmail: async () => found },
      }))
      expect(place(await errorIn({ store }, login))).to.equal('Accounts.findByEmail')
    }
  })

  const identify = async (kennel: Kennel) => {
    const { accessToken, sessionKey } = await login(kennel)
    return await kennel.getIdentity({ accessToken, sessionKey })
  }

  type Found = NonNullable<Awaited<ReturnType<Store['sessions']['find']>>>
  const SESSIONS: Readonly<Record<string, (active: Found) => unknown>> = {
    'something without a session': ({ account }) => ({ account }),
    'something without an account': ({ session }) => ({ session }),
    'a session of another epoch': ({ session, account }) => ({ session, account: { ...account, epoch: 9 } }),
    'a session of a disabled account': ({ session, account }) => ({
      session,
      account: { ...account, disabledAt: 1 },
    }),
    'a session of another account': ({ session, account }) => ({ session, account: { ...account, id: 9 } }),
    'a session that is over': ({ session, account }) => ({ session: { ...session, endsAt: 1 }, account }),
    'a session of another key': ({ session, account }) => ({
      session: { ...session, current: { ...session.current, keyDigest: 'x' } },
      account,
    }),
    null: () => null,
  }
  for (const [name, change] of Object.entries(SESSIONS)) {
    it(`is a store that finds ${name}, which proves no identity`, async () => {
      const store = await storeWith(({ sessions }) => ({
        sessions: {
          ...sessions,
          find: async (...args: Parameters<Store['sessions']['find']>) => {
            const active = await sessions.find(...args)
            return active && change(active)
          },
        },
      }))
      expect(place(await errorIn({ store }, identify))).to.equal('Sessions.find')
    })
  }

  it('is a store that moves a session on to nothing', async () => {
    const store = await storeWith(({ sessions }) => ({
      sessions: { ...sessions, rotate: async () => ({ kind: 'rotated' }) },
    }))
    const refresh = async (kennel: Kennel) => {
      const { refreshToken, sessionKey } = await login(kennel)
      return await kennel.refresh({ refreshToken, presented: { sessionKey } })
    }
    expect(place(await errorIn({ store }, refresh))).to.equal('Sessions.rotate')
  })

  it('is a store that gives more pets than it is asked for', async () => {
    const store = await storeWith(({ pets }) => ({ pets: { ...pets, page: async () => ({ pets: [1, 2] }) } }))
    const list = async (kennel: Kennel) => await kennel.listPets(broken({ caller, limit: 1 }))
    expect(place(await errorIn({ store }, list))).to.equal('Pets.page')
  })

  it('is a store that counts with something else than numbers', async () => {
    const store = await storeWith(({ sessions }) => ({
      sessions: { ...sessions, purge: async () => undefined },
    }))
    expect(place(await errorIn({ store }, async (kennel) => await kennel.purgeExpired()))).to.equal(
      'Sessions.purge',
    )
  })

  it('is left alone while it keeps them all', async () => {
    const { log, errors } = listeningLog()
    const parts = { hasher: scrypt, randomness: systemRandomness, clock: Date.now, mailer: DELIVERS, log }
    const kennel = await openKennel(goodOptions({ store: createMemoryStore(), parts }))
    await createUser(kennel)
    await identify(kennel)
    await kennel.purgeExpired()
    await kennel.close()
    expect(errors).to.deep.equal([])
  })

  it('passes its own refusals and errors on as they are', async () => {
    const cause = new Error('of the part')
    const hasher = { ...scrypt, hash: async () => await Promise.reject(cause) }
    const kennel = await openKennel(goodOptions({ parts: { hasher } }))
    expect(await createUser(kennel).catch((error: unknown) => error)).to.equal(cause)
    await kennel.close()
  })
})

describe('a blocklist of the caller’s own', () => {
  it('says which passwords cannot be set, in the place of the built-in one', async () => {
    const asked: unknown[] = []
    const refuses: PasswordBlocklist['refuses'] = async (...question) => {
      asked.push(question)
      return question[0] === 'a quiet river' ? 'too-common' : undefined
    }
    const kennel = await openKennel(
      goodOptions({ parts: { hasher: scrypt, passwordBlocklist: { refuses } } }),
    )
    const error: unknown = await kennel
      .createUser({ caller, email, password: 'a quiet river' })
      .catch((reason: unknown) => reason)
    expect(error).to.include({ code: 'invalid' })
    await kennel.createUser({ caller, email, password: 'password123' })
    await kennel.close()
    expect(asked).to.deep.equal([
      ['a quiet river', { email }],
      ['password123', { email }],
    ])
  })

  it('is not needed: the built-in one knows the host of the service, and off refuses nothing', async () => {
    for (const [option, refused] of [
      [{}, true],
      [{ passwordBlocklist: 'off' }, false],
    ] as const) {
      const kennel = await openKennel(goodOptions({ ...option, parts: { hasher: scrypt } }))
      const outcomes = await Promise.allSettled(
        ['password123', 'pets-2026', 'kennel!!'].map((password, at) =>
          kennel.createUser({ caller, email: `${at}@else.test`, password }),
        ),
      )
      await kennel.close()
      expect(outcomes.map(({ status }) => status === 'rejected')).to.deep.equal([refused, refused, refused])
    }
  })
})

describe('a mailer of the caller’s own', () => {
  it('is enough to let passwords be reset, and gets the mails', async () => {
    const sent: string[] = []
    const mailer = {
      ...DELIVERS,
      send: async ({ to, text }: { to: string; text: string }) => {
        sent.push(to)
        expect(text).to.contain('https://pets.example/reset-password#')
        return { kind: 'sent' as const }
      },
    }
    const kennel = await openKennel(goodOptions({ permissions: GENEROUS, parts: { mailer } }))
    await createUser(kennel)
    await kennel.requestPasswordReset({ email, presented: {} })
    expect(await kennel.sendMails()).to.equal(1)
    expect(sent).to.deep.equal([email])
    await kennel.close()
  })

  for (const answer of [undefined, null, true, { kind: 'delivered' }]) {
    it(`breaks its law with ${JSON.stringify(answer)} for an answer`, async () => {
      const mailer = { ...DELIVERS, send: async () => broken(answer) }
      const send = async (kennel: Kennel) => {
        await createUser(kennel)
        await kennel.requestPasswordReset({ email, presented: {} })
        return await kennel.sendMails()
      }
      expect((await errorIn({ parts: { mailer } }, send)).port).to.equal('Mailer')
    })
  }
})
