import { expect } from 'chai'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ANONYMOUS } from '../../src/domain/access/caller.js'
import type { Configuration } from '../../src/configuration/configuration.js'
import type { OptionName } from '../../src/configuration/settings.js'
import { readOptions } from '../../src/embedding/read-options.js'
import { createMemoryStore } from '../../src/adapters/memory/index.js'
import type { KennelOptions } from '../../src/index.js'
import { makeTemporaryFolder } from '../support/temporary-folder.js'
import { goodOptions } from './opening.js'

const OTHER_PASSPHRASE = 'Another-Battery-8-Staple!-horse-correct'
const LOCAL = { production: false, publicUrl: 'http://localhost:3000' } as const

type Read = (configuration: Configuration) => unknown

/** A value that is right and not the default, what else it needs, and where it is seen. */
const EFFECTS: Readonly<Record<OptionName, { given: Partial<KennelOptions>; read: Read; becomes: unknown }>> =
  {
    store: {
      given: { store: 'sqlite:./other.db' },
      read: ({ database }) => database,
      becomes: { kind: 'sqlite', path: './other.db' },
    },
    passphrase: {
      given: { passphrase: OTHER_PASSPHRASE },
      read: ({ keys }) => keys.passphrase,
      becomes: OTHER_PASSPHRASE,
    },
    previousPassphrases: {
      given: { previousPassphrases: [OTHER_PASSPHRASE] },
      read: ({ keys }) => keys.previous,
      becomes: [OTHER_PASSPHRASE],
    },
    publicUrl: {
      given: { publicUrl: 'https://cats.example' },
      read: ({ http }) => http.publicUrl,
      becomes: 'https://cats.example',
    },
    production: { given: LOCAL, read: ({ production }) => production, becomes: false },
    permissionsFile: {
      given: {},
      read: ({ permissions }) => permissions.allows(ANONYMOUS, 'pets', 'list'),
      becomes: true,
    },
    stateless: {
      given: { stateless: true },
      read: ({ identity }) => identity.stateless,
      becomes: { revocation: 'none' },
    },
    statelessRevocation: {
      given: { stateless: true, statelessRevocation: 'store' },
      read: ({ identity }) => identity.stateless,
      becomes: { revocation: 'store' },
    },
    tokenFormat: {
      given: { tokenFormat: 'paseto' },
      read: ({ identity }) => identity.tokenUse,
      becomes: 'v4.public',
    },
    tokenAlg: { given: { tokenAlg: 'EdDSA' }, read: ({ identity }) => identity.tokenUse, becomes: 'EdDSA' },
    accessTokenTtl: {
      given: { accessTokenTtl: 60_000 },
      read: ({ identity }) => identity.lifetimes.accessToken,
      becomes: 60_000,
    },
    refreshTokenTtl: {
      given: { refreshTokenTtl: '2d' },
      read: ({ identity }) => identity.lifetimes.refreshToken,
      becomes: 172_800_000,
    },
    sessionTtl: {
      given: { sessionTtl: '8d' },
      read: ({ identity }) => identity.lifetimes.session,
      becomes: 691_200_000,
    },
    refreshGrace: {
      given: { refreshGrace: 500 },
      read: ({ identity }) => identity.lifetimes.refreshGrace,
      becomes: 500,
    },
    impersonationTtl: {
      given: { impersonationTtl: '5m' },
      read: ({ identity }) => identity.impersonationTtl,
      becomes: 300_000,
    },
    resetTokenTtl: {
      given: { resetTokenTtl: 120_000 },
      read: ({ identity }) => identity.resetTokenTtl,
      becomes: 120_000,
    },
    resetUrl: {
      given: { resetUrl: 'https://cats.example/reset' },
      read: ({ identity }) => identity.resetUrl,
      becomes: 'https://cats.example/reset',
    },
    mailUrl: {
      given: { mailUrl: 'file:./outbox' },
      read: ({ mail }) => mail.delivery,
      becomes: { kind: 'file', folder: './outbox' },
    },
    mailFrom: {
      given: { mailFrom: 'Pets <no-reply@pets.example>' },
      read: ({ mail }) => mail.from,
      becomes: 'Pets <no-reply@pets.example>',
    },
    mailTemplates: {
      given: { mailTemplates: './mails' },
      read: ({ mail }) => mail.templates,
      becomes: './mails',
    },
    audit: { given: { audit: 'store,log' }, read: ({ audit }) => audit.targets, becomes: ['store', 'log'] },
    auditRetention: {
      given: { auditRetention: '30d' },
      read: ({ audit }) => audit.retention,
      becomes: 2_592_000_000,
    },
    loginLimit: {
      given: { loginLimit: '10/15m' },
      read: ({ identity }) => identity.loginLimit,
      becomes: { count: 10, window: 900_000 },
    },
    passwordMinLength: {
      given: { passwordMinLength: 12 },
      read: ({ passwords }) => passwords.minLength,
      becomes: 12,
    },
    passwordScrypt: {
      given: { passwordScrypt: '15/8/3' },
      read: ({ passwords }) => passwords.scrypt,
      becomes: { logN: 15, r: 8, p: 3 },
    },
    passwordHashConcurrency: {
      given: { passwordHashConcurrency: 3 },
      read: ({ passwords }) => passwords.hashConcurrency,
      becomes: 3,
    },
    petsSecurity: { given: { petsSecurity: 'all' }, read: ({ pets }) => pets.security, becomes: 'all' },
    petsApiKeyHeader: {
      given: { petsApiKeyHeader: 'X-Pet-Key' },
      read: ({ pets }) => pets.apiKeyHeader,
      becomes: 'X-Pet-Key',
    },
    authorizationHeader: {
      given: { authorizationHeader: 'Authorization' },
      read: ({ identity }) => identity.authorizationHeader,
      becomes: 'Authorization',
    },
    sessionCookieName: {
      given: { sessionCookieName: 'dog' },
      read: ({ identity }) => identity.cookie.name,
      becomes: 'dog',
    },
    sessionCookieSecure: {
      given: { ...LOCAL, sessionCookieSecure: false },
      read: ({ identity }) => identity.cookie.secure,
      becomes: false,
    },
    sessionCookieSamesite: {
      given: { sessionCookieSamesite: 'lax' },
      read: ({ identity }) => identity.cookie.sameSite,
      becomes: 'lax',
    },
    corsOrigins: {
      given: { corsOrigins: ['https://one.example', 'https://two.example'] },
      read: ({ http }) => http.corsOrigins,
      becomes: ['https://one.example', 'https://two.example'],
    },
    trustProxy: { given: { trustProxy: 2 }, read: ({ http }) => http.trustProxy, becomes: 2 },
    bodyLimit: { given: { bodyLimit: '1mb' }, read: ({ http }) => http.bodyLimit, becomes: 1_048_576 },
    docs: { given: { docs: true }, read: ({ http }) => http.docs, becomes: true },
  }

describe('the options of openKennel', () => {
  const read = (options: unknown) => readOptions(options as KennelOptions).configuration

  for (const [name, { given, read: see, becomes }] of Object.entries(EFFECTS)) {
    if (name === 'permissionsFile') continue
    it(`are taken over from ${name}`, () => {
      expect(see(read(goodOptions(given)))).to.deep.equal(becomes)
      expect(see(read(goodOptions()))).not.to.deep.equal(becomes)
    })
  }

  const open = { roles: { everyone: { components: { pets: ['list'] } } } }

  it('are taken over from permissionsFile', () => {
    const folder = makeTemporaryFolder()
    const path = join(folder.path, 'permissions.json')
    writeFileSync(path, JSON.stringify(open))
    const { permissions } = read(goodOptions({ permissionsFile: path }))
    folder.remove()
    expect(permissions.allows(ANONYMOUS, 'pets', 'list')).to.equal(true)
    expect(read(goodOptions()).permissions.allows(ANONYMOUS, 'pets', 'list')).to.equal(false)
  })

  it('are taken over from permissions', () => {
    const { permissions } = read(goodOptions({ permissions: open }))
    expect(permissions.allows(ANONYMOUS, 'pets', 'list')).to.equal(true)
  })

  it('hand on a store and parts as they are', () => {
    const [store, clock] = [createMemoryStore(), () => 7]
    const { options } = readOptions(goodOptions({ store, background: true, parts: { clock } }))
    expect(options.store).to.equal(store)
    expect(options.parts?.clock).to.equal(clock)
    expect(options.background).to.equal(true)
  })

  it('may come without a prototype', () => {
    const bare = Object.assign(Object.create(null) as object, goodOptions({ trustProxy: 2 }))
    expect(read(bare).http.trustProxy).to.equal(2)
  })

  it('may be an instance of a class, whose getters are asked once', () => {
    let asked = 0
    class Settings {
      readonly publicUrl = 'https://pets.example'
      get passphrase(): string {
        asked += 1
        return asked === 1 ? OTHER_PASSPHRASE : 'short'
      }
    }
    const { options, configuration } = readOptions(new Settings())
    expect(configuration.keys.passphrase).to.equal(OTHER_PASSPHRASE)
    expect(options.passphrase).to.equal(OTHER_PASSPHRASE)
  })

  it('may leave an option out by giving it as undefined', () => {
    const absent = Object.fromEntries(Object.keys(EFFECTS).map((name) => [name, undefined]))
    expect(read({ ...absent, ...goodOptions() })).to.have.nested.property('http.trustProxy', 0)
  })
})
