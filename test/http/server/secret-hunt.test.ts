import { expect } from 'chai'
import type { AuditRecord } from '../../../src/domain/audit.js'
import type { Store } from '../../../src/ports/store.js'
import { newcomer, refreshWith, type Browser } from '../../support/http/browser.js'
import { guarded } from '../../support/http/factor.js'
import { createPetClient } from '../../support/http/pet-calls.js'
import { startResetting } from '../../support/http/resetting.js'
import {
  PASSPHRASE,
  PASSWORD,
  startService,
  STATELESS,
  type TestService,
} from '../../support/http/service.js'
import { createSecretHunt } from '../secret-hunt.js'
import { createSecrets, type SecretKind } from '../../support/secrets.js'

type Leak = (service: TestService, browser: Browser) => string | Promise<string>

const LEAKS: Partial<Record<SecretKind, Leak>> = {
  password: () => PASSWORD,
  passphrase: () => PASSPHRASE,
  ...(!STATELESS && {
    'session cookie': (_: TestService, browser: Browser) =>
      (browser.held().cookie ?? '').slice('sid='.length),
  }),
  'access token': (_, browser) => browser.held().accessToken ?? '',
  'refresh token': (_, browser) => browser.held().refreshToken ?? '',
  'factor secret': async (service) => (await guarded(service)).secret,
  'recovery code': async (service) => (await guarded(service)).recoveryCodes[9] ?? '',
  'API key': async (service) => (await createPetClient(service)).headers['X-API-Key'],
}

/** Returns the message of the error if `close` rejects, and otherwise `undefined`. */
async function found(service: TestService): Promise<string | undefined> {
  return await service.close().then(
    () => undefined,
    (error: unknown) => (error as Error).message,
  )
}

describe('the secret hunt', () => {
  for (const [kind, secretOf] of Object.entries(LEAKS)) {
    it(`fails the test if a log line contains a secret: ${kind}`, async () => {
      const service = await startService()
      const secret = await secretOf(service, await newcomer(service))
      expect(secret).to.have.length.greaterThan(15)
      service.log.debug('the leak', { detail: `it is ${secret}.` })
      const message = await found(service)
      expect(message).to.equal(`a secret appears in the log line "the leak": ${kind}`)
      expect(message).to.not.include(secret)
    })
  }

  it('fails the test if an audit record contains a secret', async () => {
    const service = await startService()
    const browser = await newcomer(service)
    const [record] = await service.store.audit.page({ limit: 1 })
    await leakInto(service.store, record, browser.held().refreshToken)
    expect(await found(service)).to.equal('a secret appears in the audit record login: refresh token')
  })

  it('finds the User-Agent of each request', async () => {
    const service = await startService()
    await service.client.call('GET', '/health/live')
    service.log.debug('the leak', { detail: 'it is Mozilla/5.0 (a-canary-that-no-log-may-show).' })
    expect(await found(service)).to.equal('a secret appears in the log line "the leak": User-Agent')
  })

  const ENCODINGS: Readonly<Record<string, (secret: string) => string>> = {
    raw: (secret) => secret,
    'its first 12 characters': (secret) => secret.slice(0, 12),
    base64: (secret) => Buffer.from(secret).toString('base64'),
    base64url: (secret) => Buffer.from(secret).toString('base64url'),
    hexadecimal: (secret) => Buffer.from(secret).toString('hex'),
    'escaped for a URL': (secret) => encodeURIComponent(secret),
    'escaped for JSON': (secret) => JSON.stringify(secret),
  }
  for (const [encoding, encode] of Object.entries(ENCODINGS))
    it(`finds a secret in this encoding: ${encoding}`, () => {
      for (const secret of [
        'two\nlines of a "passphrase"',
        'ü&ö: a passphrase of 31 letters',
        'k'.repeat(9) + '_-'.repeat(17),
      ]) {
        const secrets = createSecrets()
        secrets.remember('passphrase', secret)
        expect(secrets.foundIn(`it is ${encode(secret)}.`), secret).to.equal('passphrase')
      }
    })

  if (!STATELESS)
    it('finds a session key in the log detail of a rejected refresh even if no response contained the key', async () => {
      const keys: string[] = []
      const service = await startService({ onSecret: (_kind, key) => void keys.push(key) })
      const browser = await newcomer(service)
      const before = browser.held()
      await browser.refresh()
      const carried = keys.length
      service.clock.now += 60_000
      expect((await refreshWith(service, { refreshToken: before.refreshToken })).status).to.equal(401)
      expect(keys.length).to.be.greaterThan(carried)
      service.log.debug('request refused', { detail: `refresh: ${keys.at(-1) ?? ''}` })
      expect(await found(service)).to.equal(
        'a secret appears in the log line "request refused": session cookie',
      )
    })

  it('finds a reset token that was never used', async () => {
    const { service, mailedToken } = await startResetting()
    const { email } = await newcomer(service)
    service.log.debug('the leak', { detail: await mailedToken(email) })
    expect(await found(service)).to.equal('a secret appears in the log line "the leak": email proof')
  })

  it('reports nothing if no secret has leaked', async () => {
    const service = await startService()
    const browser = await newcomer(service)
    await browser.getIdentity()
    await browser.refresh()
    await browser.logout()
    expect(await found(service)).to.equal(undefined)
  })

  it('searches error responses and metrics', async () => {
    const none = { page: () => Promise.resolve([]) }
    const refusals = createSecretHunt()
    refusals.secrets.remember('reset token', 'a-reset-token-of-its-own')
    const reply = { status: 400, text: '{"message":"a-reset-token-of-its-own"}' }
    refusals.replied({ ...reply, headers: {}, rawHeaders: [], json: undefined })
    const messages = [await refusals.end(none).catch((error: unknown) => (error as Error).message)]
    const metrics = createSecretHunt()
    metrics.secrets.remember('API key', 'kennel_0123456789')
    metrics.metrics.requestAnswered({ method: 'GET', route: '/kennel_0123456789', status: 200, duration: 1 })
    messages.push(await metrics.end(none).catch((error: unknown) => (error as Error).message))
    expect(messages).to.deep.equal([
      'a secret appears in the body of a refusal: reset token',
      'a secret appears in the metrics: API key',
    ])
  })

  it('finds secrets from every part of a request that can contain secrets', async () => {
    const basic = Buffer.from('ada@example.com:secret of Basic').toString('base64')
    const requests: Record<string, object> = {
      'session cookie': { headers: { Cookie: 'theme=dark; sid=secret-of-a-cookie' } },
      'access token': { headers: { 'X-Authorization': 'Bearer secret-of-a-token' } },
      'Basic header': { headers: { Authorization: `Basic ${basic}` } },
      'API key': { headers: { ApiKeyAuth: 'secret-of-an-api-key' } },
      'reset token': { json: { resetToken: 'secret-of-a-reset' } },
      'refresh token': { body: '{"refreshToken":"secret-of-a-body"}' },
      password: { json: { password: 'two\nlines "quoted"' } },
      'User-Agent': { headers: { 'user-agent': 'canary-of-a-client/1.0' } },
    }
    const sent = [
      'secret-of-a-cookie',
      'secret-of-a-token',
      basic,
      'secret-of-an-api-key',
      'secret-of-a-reset',
    ]
    const all = [...sent, 'secret-of-a-body', 'two\nlines "quoted"', 'canary-of-a-client/1.0']
    const messages: (string | undefined)[] = []
    for (const [index, call] of Object.values(requests).entries()) {
      const service = await startService()
      await service.client.call('POST', '/nothing', call)
      service.log.info('the leak', { detail: all[index] })
      messages.push(await found(service))
    }
    const expected = Object.keys(requests).map(
      (kind) => `a secret appears in the log line "the leak": ${kind}`,
    )
    expect(messages).to.deep.equal(expected)
  })

  it('searches a 10 MB text for 10,000 secrets in one pass', () => {
    const secrets = createSecrets()
    for (let count = 0; count < 10_000; count += 1)
      secrets.remember('access token', `token of ${count * 7919}`)
    const text = 'a line of the log without any of them. '.repeat(250_000)
    expect(secrets.foundIn(text)).to.equal(undefined)
    expect(secrets.foundIn(`${text}token of ${9_999 * 7919}`)).to.equal('access token')
  })
})

async function leakInto({ audit }: Store, record: AuditRecord | undefined, secret = ''): Promise<void> {
  if (!record) throw new Error('there is no audit record')
  const { id } = record
  await audit.append({ ...record, id: `${id.slice(0, -1)}z` as typeof id, event: 'login', subject: secret })
}
