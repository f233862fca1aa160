import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { DEFAULT_PERMISSIONS } from '../../src/domain/access/permission-rules.js'
import { startSmtpServer } from '../support/mail/smtp-server.js'
import { type Serving, workplaceOfTests } from './app.js'

const EMAIL = 'ada@example.com'
const FROM = { MAIL_FROM: 'Kennel <kennel@example.com>' }

describe('app serve with password reset', () => {
  const place = workplaceOfTests()
  let permitted: { PERMISSIONS_FILE: string }

  beforeEach(async () => {
    const everyone = { components: { auth: ['login', 'reset-password'], user: ['find'] } }
    permitted = { PERMISSIONS_FILE: join(place.folder, 'permissions.json') }
    const rules = { roles: { ...DEFAULT_PERMISSIONS.roles, everyone } }
    writeFileSync(permitted.PERMISSIONS_FILE, JSON.stringify(rules))
    await place.app(['user', 'create', EMAIL, '--password-stdin'], { input: 'a good long password' })
  })

  async function requestReset({ origin }: Serving): Promise<number> {
    const headers = { 'Content-Type': 'application/json' }
    const body = JSON.stringify({ email: EMAIL })
    return (await fetch(`${origin}/api/auth/reset-password`, { method: 'POST', headers, body })).status
  }

  it('writes emails to a folder in development', async () => {
    const service = await place.serve(permitted)
    expect(await requestReset(service)).to.equal(200)
    const outbox = join(place.folder, 'data', 'outbox')
    const [name = ''] = await mailsIn(outbox)
    expect(await service.stop()).to.equal(0)
    expect(readFileSync(join(outbox, name), 'utf8')).to.match(/^To: ada@example\.com\r$/m)
  })

  it('sends the email that `user reset-mail` has queued', async () => {
    const service = await place.serve(permitted)
    const { stdout } = await place.app(['user', 'reset-mail', EMAIL], { env: permitted })
    expect(JSON.parse(stdout)).to.deep.equal({ errors: [], save: 1 })
    expect(await mailsIn(join(place.folder, 'data', 'outbox'))).to.have.lengthOf(1)
    expect(await service.stop()).to.equal(0)
    const { code, stdout: refused } = await place.app(['user', 'reset-mail', EMAIL])
    expect(code).to.equal(1)
    expect(refused).to.contain('Password resets are not set up: permit ').and.to.contain('set MAIL_URL')
  })

  it('stops even if the mail server hangs, and sends the pending email after the next start', async () => {
    const hanging = await startSmtpServer({ mode: 'hanging-after-data' })
    const env = { ...permitted, ...FROM, MAIL_URL: hanging.url }
    const first = await place.serve(env)
    await requestReset(first)
    await hanging.hanging()
    expect(await first.stop()).to.equal(0)
    expect(first.log()).to.not.contain('email cannot be sent')
    await hanging.stop()
    const smtp = await startSmtpServer({ port: hanging.port })
    const second = await place.serve(env)
    expect((await smtp.nextMail()).to).to.deep.equal([EMAIL])
    expect(await second.stop()).to.equal(0)
    await smtp.stop()
  })

  it('logs in to the mail server, and logs neither the server password nor the reset token', async () => {
    const smtp = await startSmtpServer({ mode: 'auth' })
    const url = smtp.url.replace('//', '//kennel:p%40ss%3Aw%2Frd@')
    const origin = { PUBLIC_URL: 'http://localhost:3000' }
    const service = await place.serve({ ...permitted, ...FROM, ...origin, MAIL_URL: url, LOG_LEVEL: 'debug' })
    await requestReset(service)
    const { text, user, greeting } = await smtp.nextMail()
    expect(await service.stop()).to.equal(0)
    await smtp.stop()
    const token = /resetToken=(\S{43})/.exec(text)?.[1]
    expect([user, greeting, typeof token]).to.deep.equal(['kennel', 'localhost', 'string'])
    for (const secret of ['p@ss', 'p%40ss', token ?? '']) expect(service.log()).to.not.contain(secret)
  })
})

async function mailsIn(folder: string): Promise<readonly string[]> {
  for (let tries = 0; tries < 1000; tries += 1) {
    try {
      const names = readdirSync(folder).filter((name) => name.endsWith('.eml'))
      if (names.length > 0) return names
    } catch {
      // The folder is created with the first mail.
    }
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error('no mail has come')
}
