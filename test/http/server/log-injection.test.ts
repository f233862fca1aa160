import { expect } from 'chai'
import { createLog } from '../../../src/adapters/pino/index.js'
import { createBrowser, freshEmail, LOGIN, newcomer, REFRESH } from '../../support/http/browser.js'
import { createPetClient, PETS } from '../../support/http/pet-calls.js'
import { startService, type TestService } from '../../support/http/service.js'
import { openWire } from '../../support/http/wire.js'

const MARK = 'cAnArY'
const FORGED = '{"level":"error","event":"forged"}'

/** Strings that might end a log line, begin another line or color it; all of them can be sent in JSON and in a URL. */
const PAYLOADS: Record<string, string> = {
  'a line end': `${MARK}\r\n${FORGED}\r\n`,
  'an escape sequence': `${MARK}\u001B[31m\u001B]0;${MARK}\u0007`,
  'the end of a string': `${MARK}","level":"error","event":"forged`,
  'U+2028': `${MARK}\u2028${FORGED}\u2029`,
  'a format string': `${MARK}%s%o{event}{{event}}`,
}

const HEADERS = [
  ...['User-Agent', 'Referer', 'Host', 'Accept', 'Accept-Language', 'Origin', 'Cookie', 'Content-Type'],
  ...['Authorization', 'BasicAuth', 'ApiKeyAuth', 'X-API-Key', 'X-Authorization', 'X-Request-Id'],
  ...['X-Forwarded-For', 'X-Forwarded-Host', 'Forwarded', 'If-Match', 'If-None-Match', 'Idempotency-Key'],
  ...['Content-Encoding', 'Transfer-Encoding', 'Content-Length', 'Expect', 'Upgrade', 'traceparent', MARK],
]

const ALLOWED = [
  ...['level', 'time', 'event', 'requestId', 'method', 'route', 'status', 'durationMs', 'accountId'],
  ...['apiKeyId', 'detail', 'error', 'count', 'address', 'sessionId'],
]

/** Sends the payload in every part of a request that accepts text. */
async function attack(service: TestService, payload: string): Promise<void> {
  await throughAddresses(service, encodeURIComponent(payload))
  await throughBodies(service, payload)
  for (const name of HEADERS) {
    for (const path of [PETS, '/api/auth/get-identity']) {
      await throughWire(service, `GET ${path} HTTP/1.1`, `${name}: ${payload}\r\n`)
    }
    await throughWire(service, `POST ${LOGIN} HTTP/1.1`, `${name}: ${payload}\r\nContent-Length: 2\r\n`)
  }
  await throughWire(service, `GET /${payload} HTTP/1.1`, '')
  await throughWire(service, `${payload} / HTTP/1.1`, '')
  await throughWire(service, `GET / HTTP/1.1${payload}`, '')
}

async function throughAddresses({ client }: TestService, encoded: string): Promise<void> {
  const paths = ['', PETS, '/api/auth', '/api/project', '/health', '/.well-known'].map(
    (base) => `${base}/${encoded}`,
  )
  const queries = [`?limit=${encoded}`, `?cursor=${encoded}`, `?${encoded}=1`].map((query) => PETS + query)
  for (const path of [...paths, ...queries]) await client.call('GET', path)
}

async function throughBodies(service: TestService, payload: string): Promise<void> {
  const pets = await createPetClient(service)
  const browser = await newcomer(service, ['admin'])
  // The payload alone is not secret, because an error may contain it as the name of an unknown member.
  const secret = `secret: ${payload} as a secret`
  for (const name of ['name', 'age', 'category', payload]) {
    await pets.create({ name: 'Rex', [name]: payload })
    await pets.patch(1, { [name]: payload })
  }
  await pets.create({ name: 'Rex' }, { 'Idempotency-Key': encodeURIComponent(payload) })
  await createBrowser(service, payload).login(secret)
  await createBrowser(service, freshEmail()).login(secret)
  for (const path of [
    LOGIN,
    REFRESH,
    '/api/auth/reset-password',
    '/api/auth/login-as',
    '/api/project/create',
  ]) {
    const json = { email: payload, password: secret, refreshToken: secret, resetToken: secret }
    await browser.send('POST', path, {
      json: { ...json, userId: payload, label: payload, [payload]: payload },
    })
    await browser.send('POST', path, { headers: { 'Content-Type': 'application/json' }, body: payload })
  }
}

/** Writes raw bytes, because a client would refuse to send them. */
async function throughWire({ origin }: TestService, line: string, headers: string): Promise<void> {
  const wire = await openWire(origin)
  const end = 'Connection: close\r\nContent-Type: application/json\r\n\r\n{}'
  wire.send(Buffer.from(`${line}\r\n${headers}${end}`))
  wire.socket.end()
  await wire.closed()
}

async function logOf(payload: string): Promise<string> {
  let text = ''
  const log = createLog({ level: 'debug', pretty: false, destination: { write: (line) => (text += line) } })
  const service = await startService({ log, settings: { bodyLimit: 1_000 } })
  try {
    await attack(service, payload)
  } finally {
    await service.close()
  }
  return text
}

describe('an attempt at log injection', () => {
  for (const [what, payload] of Object.entries(PAYLOADS)) {
    it(`leaves every log line as a single object with known fields, without the payload: ${what}`, async () => {
      const text = await logOf(payload)
      const lines = text.split('\n')
      expect(lines.pop()).to.equal('')
      expect(lines.length).to.be.greaterThan(100)
      for (const line of lines) {
        const fields = JSON.parse(line) as Record<string, unknown>
        expect(ALLOWED).to.include.members(Object.keys(fields))
        // The line about X-Forwarded-For has a fixed text.
        expect(['request', 'request refused', 'request aborted', 'configuration']).to.include(fields['event'])
        // The line contains only characters that a terminal prints unchanged.
        expect(line).to.match(/^[\x20-\x7e]+$/)
      }
      expect(text).to.not.match(/canary|forged/i)
    })
  }
})
