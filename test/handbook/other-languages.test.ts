import { execFile, spawn } from 'node:child_process'
import { generateKeyPairSync, createHmac, sign, type KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { describeWith, type Tool } from '../support/required-tools.js'
import { makeTemporaryFolder } from '../support/temporary-folder.js'
import { freshEmail } from '../support/http/browser.js'
import { PASSWORD, servicesOfTests } from '../support/http/service.js'
import { rotating } from '../support/rotation.js'
import { follow, FOLDERS } from './follow.js'
import { readPage, type Page } from './page.js'

type Language = {
  readonly tool: Tool
  readonly path: string
  readonly prepare: RegExp
  readonly program: readonly string[]
}

const LANGUAGES: readonly Language[] = [
  {
    tool: 'python3',
    path: 'docs/http/verify-in-python.md',
    prepare: /^python3 -m venv .*\n.*pip install .*$/m,
    program: ['venv/bin/python', 'verify.py'],
  },
  {
    tool: 'go',
    path: 'docs/http/verify-in-go.md',
    prepare: /^go build .*$/m,
    program: ['./verify'],
  },
]

const KID = 'the-key'
const HEADER = { alg: 'EdDSA', typ: 'at+jwt', kid: KID }
const ours = generateKeyPairSync('ed25519')
const theirs = generateKeyPairSync('ed25519')
const run = promisify(execFile)

type Parts = { readonly header?: object; readonly claims?: object; readonly key?: KeyObject }
type Sealer = (parts?: Parts) => string

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Issues tokens in the same way as Kennel, except for the given changes. */
function sealerFor(issuer: string): Sealer {
  return ({ header = {}, claims = {}, key = ours.privateKey } = {}) => {
    const now = Math.floor(Date.now() / 1000)
    const times = { iat: now, nbf: now, exp: now + 900 }
    const names = { iss: issuer, aud: `${issuer}/access`, sub: '7', sid: 'a-login', jti: 'a-token.access' }
    const message = `${part({ ...HEADER, ...header })}.${part({ ...names, ...times, ...claims })}`
    return `${message}.${sign(null, Buffer.from(message), key).toString('base64url')}`
  }
}

/** Signs with the public key as an HMAC secret, which deceives a verifier that trusts the token's algorithm. */
function signedWithPublicKey(seal: Sealer): string {
  const message = seal({ header: { alg: 'HS512' } })
    .split('.')
    .slice(0, 2)
    .join('.')
  const secret = ours.publicKey.export({ format: 'pem', type: 'spki' })
  return `${message}.${createHmac('sha512', secret).update(message).digest('base64url')}`
}

const HOUR = 3600
const now = () => Math.floor(Date.now() / 1000)

const REFUSED: Readonly<Record<string, (seal: Sealer) => string>> = {
  'an expired token': (seal) =>
    seal({ claims: { iat: now() - HOUR, nbf: now() - HOUR, exp: now() - HOUR + 900 } }),
  'a token that expired a few seconds ago': (seal) => seal({ claims: { exp: now() - 7 } }),
  'a token that is not yet valid': (seal) => seal({ claims: { nbf: now() + HOUR, exp: now() + 2 * HOUR } }),
  'a token without expiry': (seal) => seal({ claims: { exp: undefined } }),
  'a token of another issuer': (seal) => seal({ claims: { iss: 'https://other.example' } }),
  'a token for another audience': (seal) => seal({ claims: { aud: 'https://other.example/access' } }),
  'a token without audience': (seal) => seal({ claims: { aud: undefined } }),
  'a token without subject': (seal) => seal({ claims: { sub: undefined } }),
  'a token of another type': (seal) => seal({ header: { typ: 'rt+jwt' } }),
  'a token signed with another key': (seal) => seal({ key: theirs.privateKey }),
  'a token with an unknown key ID': (seal) => seal({ header: { kid: 'another' } }),
  'a token without key ID': (seal) => seal({ header: { kid: undefined } }),
  'a token with the public key as HMAC secret': signedWithPublicKey,
  'a token without a signature': (seal) => seal({ header: { alg: 'none' } }).replace(/[^.]*$/, ''),
  'a token with changed claims': (seal) => {
    const [header = '', , signature = ''] = seal().split('.')
    const [, claims = ''] = seal({ claims: { sub: '1' } }).split('.')
    return [header, claims, signature].join('.')
  },
  'a token that is too long': (seal) => seal({ claims: { more: 'x'.repeat(8192) } }),
  'text that is not a token': () => 'no-token',
}

async function serveKeys(): Promise<{ readonly server: Server; readonly issuer: string }> {
  const keys = [{ ...ours.publicKey.export({ format: 'jwk' }), kid: KID, use: 'sig', alg: 'EdDSA' }]
  const server = createServer((request, response) => {
    if (request.url !== '/.well-known/jwks.json') return response.writeHead(404).end()
    return response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ keys }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, issuer: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}` }
}

/** Returns the program's output and exit status for a token. */
type Verify = (token: string, issuer: string) => Promise<{ readonly code: number; readonly said: string }>

async function makeProgram(page: Page, { prepare, program }: Language, folder: string): Promise<Verify> {
  for (const step of page.steps) if (step.kind === 'file') writeFileSync(join(folder, step.name), step.text)
  const commands = page.steps.flatMap((step) =>
    step.kind === 'walk' ? [prepare.exec(step.text)?.[0] ?? ''] : [],
  )
  await run('bash', ['-euo', 'pipefail', '-c', commands.join('\n')], { cwd: folder })
  const [command = '', ...args] = program
  return async (token, issuer) => {
    const options = { cwd: folder, env: { ...process.env, ISSUER: issuer } }
    try {
      return { code: 0, said: (await run(join(folder, command), [...args, token], options)).stdout.trim() }
    } catch (error) {
      const { code, stdout } = error as { code: number; stdout: string }
      return { code, said: stdout.trim() }
    }
  }
}

/**
 * A program whose eight threads find the same expired access token. It prints their emails and the number of refreshes.
 */
const THREADS = `
import sys, threading
from kennel import Login
calls, emails, together = [], [], threading.Barrier(8)
class Counted(Login):
    def call(self, method, path, body=None):
        calls.append(path)
        return super().call(method, path, body)
login = Counted(sys.argv[1])
login.log_in(sys.argv[2], sys.argv[3])
print("logged in", flush=True)
sys.stdin.readline()
def ask():
    together.wait()
    emails.append(login.identity()["user"]["email"])
threads = [threading.Thread(target=ask) for _ in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(*emails, calls.count("/api/auth/refresh"))
`

describeWith('python3', 'the client in Python', () => {
  const serve = servicesOfTests()

  it('refreshes once when eight threads find the access token expired', async () => {
    const folder = makeTemporaryFolder()
    for (const step of readPage('docs/http/log-in-from-python.md').steps)
      if (step.kind === 'file') writeFileSync(join(folder.path, step.name), step.text)
    const service = await serve()
    const email = freshEmail()
    await service.account(email)
    const python = spawn('python3', ['-c', THREADS, service.origin, email, PASSWORD], { cwd: folder.path })
    const lines = createInterface(python.stdout)
    await once(lines, 'line')
    service.clock.now += 16 * 60_000
    python.stdin.end()
    const [line] = (await once(lines, 'line')) as [string]
    expect(line.split(' ')).to.deep.equal([...Array<string>(8).fill(email), '1'])
    folder.remove()
  })

  for (const name of FOLDERS)
    it(`works as described on its page, twice in a row, in ${name}`, () =>
      follow(readPage('docs/http/log-in-from-python.md'), name))
})

describeWith('python3', 'the administration programs', () => {
  describeWith('go', 'in Python and Go', () => {
    for (const name of FOLDERS)
      it(`work as described on their page, twice in a row, in ${name}`, () =>
        follow(readPage('docs/http/administration.md'), name))
  })
})

for (const language of rotating(LANGUAGES, 1)) {
  describeWith(language.tool, `the program of ${language.path}`, () => {
    const page = readPage(language.path)
    const folder = makeTemporaryFolder()
    let verify: Verify
    let server: Server
    let issuer: string
    let seal: Sealer
    before(async () => {
      const served = await serveKeys()
      ;({ server, issuer } = served)
      seal = sealerFor(issuer)
      verify = await makeProgram(page, language, folder.path)
    })
    after(() => {
      server.close()
      folder.remove()
    })

    for (const name of FOLDERS)
      it(`works as described on its page, twice in a row, in ${name}`, () => follow(page, name))

    it('accepts a valid token, even during an impersonation', async () => {
      const good = { code: 0, said: 'account 7, login a-login' }
      expect(await verify(seal(), issuer)).to.deep.equal(good)
      const act = { sub: '1', email: 'sophie@example.com' }
      expect(await verify(seal({ claims: { act } }), issuer)).to.deep.equal(good)
    })

    it('accepts a token if the clocks differ by half a minute', async () => {
      expect((await verify(seal({ claims: { nbf: now() + 27 } }), issuer)).code).to.equal(0)
    })

    for (const [what, make] of Object.entries(REFUSED)) {
      it(`rejects ${what}`, async () => {
        const { code, said } = await verify(make(seal), issuer)
        expect({ code, said: said.slice(0, 9) }).to.deep.equal({ code: 1, said: 'refused: ' })
      })
    }

    it('does not report that the token was rejected if the keys cannot be fetched', async () => {
      const nowhere = 'http://127.0.0.1:9'
      const { code, said } = await verify(sealerFor(nowhere)(), nowhere)
      expect(code).to.equal(1)
      expect(said).to.not.contain('refused:')
    })
  })
}
