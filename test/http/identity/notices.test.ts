import { expect } from 'chai'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import type { NoticeTopic } from '../../../src/domain/mail.js'
import type { Mail } from '../../../src/ports/mailer.js'
import { freshEmail, LOGIN } from '../../support/http/browser.js'
import { guarded, logInWith, REMOVE, STEP } from '../../support/http/factor.js'
import { itWithSessions } from '../../support/http/modes.js'
import { PASSWORD, startService, type TestOptions, type TestService } from '../../support/http/service.js'
import { createPostbox, ownTemplates, type Postbox } from '../../support/mail/postbox.js'
import { rememberReceived, rememberSent } from '../exchanged-secrets.js'
import { createSecrets, type Secrets } from '../../support/secrets.js'

const GRACE = 10_000
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0'
const SAFARI =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15'
const ALL: readonly NoticeTopic[] = ['new-client', 'refresh-reuse', 'password', 'factor']

describe('mail notices', () => {
  let service: TestService
  let postbox: Postbox
  let secrets: Secrets

  async function start(options: TestOptions = {}): Promise<void> {
    postbox = createPostbox()
    secrets = createSecrets()
    service = await startService({
      lifetimes: { refreshGrace: GRACE },
      mail: { mailer: postbox.mailer, templates: ownTemplates() },
      notices: ALL,
      settings: { trustProxy: 1 },
      ...options,
    })
  }
  afterEach(() => service.close())

  /** The mails sent since the previous call; none of them holds a secret that was exchanged. */
  async function mails(): Promise<readonly Mail[]> {
    const before = postbox.arrived.length
    await service.mails().sendMails()
    const fresh = postbox.arrived.slice(before)
    for (const mail of fresh) expect(secrets.foundIn(Object.values(mail).join('\n'))).to.equal(undefined)
    return fresh
  }
  const subjects = async () => (await mails()).map(({ subject, to }) => `${to}: ${subject}`)
  async function call(path: string, json: object, headers: Record<string, string> = {}) {
    const sent = { json, headers: { 'X-Forwarded-For': '192.0.2.7', ...headers } }
    rememberSent(secrets, sent)
    const reply = await service.client.call('POST', path, sent)
    rememberReceived(secrets, reply)
    return reply
  }
  /** Moves the clock a little first, because mails of the same instant are ordered by their random IDs. */
  const login = (email: string, userAgent?: string, password = PASSWORD) => {
    service.clock.now += 1
    return call(LOGIN, { email, password }, userAgent === undefined ? {} : { 'User-Agent': userAgent })
  }

  itWithSessions('report a login with a new kind of client, and name the client', async () => {
    await start()
    const email = freshEmail()
    await service.account(email)
    await login(email, FIREFOX)
    const [first, ...others] = await mails()
    expect(others).to.deep.equal([])
    expect(first?.to).to.equal(email)
    for (const said of ['Firefox 130 on Linux', '192.0.2.7', '2026-01-02 03:04 UTC', email])
      expect(first?.text, said).to.include(said)
    await login(email, FIREFOX.replaceAll('130', '131'))
    expect(await mails()).to.deep.equal([])
    await login(email, SAFARI)
    expect((await mails()).map(({ text }) => text.includes('Safari 18 on macOS'))).to.deep.equal([true])
    await login(email)
    expect((await mails()).map(({ text }) => text.includes('does not say what it is'))).to.deep.equal([true])
  })

  it('report changes of the second factor, and hold no code and no secret', async () => {
    await start()
    const { email, secret, code, recoveryCodes, send } = await guarded(service)
    const told = async () => (await mails()).filter(({ subject }) => subject.includes('second factor'))
    const added = await told()
    expect(added.map(({ to, text }) => [to, text.includes('was set up')])).to.deep.equal([[email, true]])
    expect((await logInWith(service, { email }, recoveryCodes[0])).status).to.equal(200)
    const used = await told()
    expect(used.map(({ text }) => text.includes('a recovery code'))).to.deep.equal([true])
    const password = PASSWORD
    service.clock.now += 2 * STEP
    expect((await send('POST', REMOVE, { json: { password, code: code() } })).status).to.equal(200)
    const removed = await told()
    expect(removed.map(({ text }) => text.includes('was taken away'))).to.deep.equal([true])
    const all = [...added, ...used, ...removed].map((mail) => Object.values(mail).join('\n')).join('\n')
    for (const hidden of [secret, code(), ...recoveryCodes]) expect(all).to.not.include(hidden)
    const other = await guarded(service)
    await mails()
    await service.useCases.removeUserFactor({ caller: OPERATOR, email: other.email })
    expect(await subjects()).to.deep.equal([`${other.email}: Your second factor was changed`])
  })
})
