import { expect } from 'chai'
import { newcomer } from '../../support/http/browser.js'
import { PASSWORD, startService, type TestService } from '../../support/http/service.js'
import { createSecrets } from '../../support/secrets.js'
import { createSecretHunt } from '../secret-hunt.js'

const messageOf = async (work: Promise<void>) =>
  await work.then(
    () => undefined,
    (error: unknown) => (error as Error).message,
  )

describe('the search for leaked secrets', () => {
  const leaks = {
    password: () => PASSWORD,
    'refresh token': (refreshToken) => refreshToken,
    'User-Agent': () => 'Mozilla/5.0 (a-canary-that-no-log-may-show)',
  } satisfies Record<string, (refreshToken: string) => string>
  for (const [kind, secretOf] of Object.entries(leaks))
    it(`fails the test if a log line contains a secret of a request or a response: ${kind}`, async () => {
      const service = await startService()
      const browser = await newcomer(service)
      service.log.debug('the leak', { detail: `it is ${secretOf(browser.held().refreshToken ?? '')}.` })
      expect(await messageOf(service.close())).to.equal(
        `a secret appears in the log line "the leak": ${kind}`,
      )
    })

  it('fails the test if an audit record contains a secret', async () => {
    const service = await startService()
    const subject = (await newcomer(service)).held().refreshToken ?? ''
    await leakInto(service, subject)
    const message = await messageOf(service.close())
    expect(message).to.equal('a secret appears in the audit record login: refresh token')
  })

  it('searches error responses and metrics', async () => {
    const none = { page: () => Promise.resolve([]) }
    const hunt = (secret: string) => {
      const made = createSecretHunt()
      made.secrets.remember('API key', secret)
      return made
    }
    const refusals = hunt('kennel_0123456789')
    const reply = { status: 400, text: '{"message":"kennel_0123456789"}' }
    refusals.replied({ ...reply, headers: {}, rawHeaders: [], json: undefined })
    const metrics = hunt('kennel_0123456789')
    metrics.metrics.requestAnswered({ method: 'GET', route: '/kennel_0123456789', status: 200, duration: 1 })
    expect(await Promise.all([refusals, metrics].map((one) => messageOf(one.end(none))))).to.deep.equal([
      'a secret appears in the body of a refusal: API key',
      'a secret appears in the metrics: API key',
    ])
  })

  const ENCODINGS: Readonly<Record<string, (secret: string) => string>> = {
    'its first 12 characters': (secret) => secret.slice(0, 12),
    base64: (secret) => Buffer.from(secret).toString('base64'),
    hexadecimal: (secret) => Buffer.from(secret).toString('hex'),
    'escaped for a URL': (secret) => encodeURIComponent(secret),
    'escaped for JSON': (secret) => JSON.stringify(secret),
  }
  for (const [encoding, encode] of Object.entries(ENCODINGS))
    it(`finds a secret in this encoding: ${encoding}`, () => {
      for (const secret of ['two\nlines of a "passphrase"', 'ü&ö: a passphrase of 31 letters']) {
        const secrets = createSecrets()
        secrets.remember('passphrase', secret)
        expect(secrets.foundIn(`it is ${encode(secret)}.`), secret).to.equal('passphrase')
      }
    })
})

async function leakInto({ store }: TestService, subject: string): Promise<void> {
  const [record] = await store.audit.page({ limit: 1 })
  if (!record) throw new Error('there is no audit record')
  const id = `${record.id.slice(0, -1)}z` as typeof record.id
  await store.audit.append({ ...record, id, event: 'login', subject })
}
