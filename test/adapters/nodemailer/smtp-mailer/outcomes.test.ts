import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { expect } from 'chai'
import { createSmtpMailer } from '../../../../src/adapters/nodemailer/index.js'
import type { Delivery } from '../../../../src/ports/mail.js'
import { type SmtpServer, startSmtpServer } from '../../../support/mail/smtp-server.js'
import { FROM, mailTo } from '../samples.js'

/** A timeout that must not be reached: a test that waits for it fails. */
const LONG = 60_000
const SHORT = 1500
const timeoutsFor = (mode: string) =>
  mode === 'hanging-before-greeting'
    ? { connection: SHORT, silence: LONG, whole: LONG }
    : { connection: LONG, silence: SHORT, whole: LONG }

/**
 * The outcome of sending an email to each kind of server. Omits the server's message, because it names the recipient.
 */
const OUTCOMES: readonly [mode: string, kind: Delivery['kind'], detail: string][] = [
  ['refusing-recipient', 'refused', 'The SMTP server rejected this recipient (550).'],
  ['refusing-message', 'refused', 'The SMTP server rejected this message (554).'],
  ['deferring-recipient', 'deferred', 'The SMTP server deferred this recipient (451).'],
  ['deferring-message', 'deferred', 'The SMTP server deferred this message (452).'],
  ['refusing-connections', 'unreachable', 'The SMTP server refused the connection (554).'],
  ['refusing-sender', 'unreachable', 'The SMTP server rejected the sender address in MAIL_FROM (550).'],
  ['going-away', 'unreachable', 'The SMTP server accepts no mail from this service (421).'],
  ['hanging-before-greeting', 'unreachable', 'The SMTP server did not answer in time.'],
  ['hanging-after-greeting', 'unreachable', 'The SMTP server did not answer in time.'],
  ['hanging-after-data', 'unreachable', 'The SMTP server did not answer in time.'],
  ['dying-in-data', 'unreachable', 'The SMTP server closed the connection.'],
]

// The contract tests of mailers show that a mail is "unreachable" if no server is listening.
describe('the outcome of sending an email', () => {
  let smtp: SmtpServer
  afterEach(() => smtp.stop())

  for (const [mode, kind, detail] of OUTCOMES)
    it(`is "${kind}" if the server is ${mode.replaceAll('-', ' ')}`, async () => {
      smtp = await startSmtpServer({ mode })
      const mailer = createSmtpMailer({ url: smtp.url, from: FROM, timeout: timeoutsFor(mode) })
      expect(await mailer.send(mailTo('ann@example.org'))).to.deep.equal({ kind, detail })
      expect(smtp.mails()).to.be.empty
    })

  it('is "unreachable" after the time limit for the whole email, even if each step is within its own limit', async () => {
    smtp = await startSmtpServer({ mode: 'hanging-after-data' })
    const timeout = { connection: LONG, silence: LONG, whole: SHORT }
    const mailer = createSmtpMailer({ url: smtp.url, from: FROM, timeout })
    const detail = 'The SMTP server took too long to respond.'
    expect(await mailer.send(mailTo('ann@example.org'))).to.deep.equal({ kind: 'unreachable', detail })
  })
})

/** A server that refuses every greeting. */
async function startRefusing(status: number) {
  const server = createServer((socket) => {
    socket.on('error', () => undefined).write('220 mail.example\r\n')
    socket.on('data', () => socket.write(`${status} 4.7.1 helo rejected\r\n`))
  })
  await once(server.listen(0, '0.0.0.0'), 'listening')
  return { port: (server.address() as AddressInfo).port, stop: () => server.close() }
}

describe('a refused greeting', () => {
  let stop: () => unknown
  afterEach(() => stop())

  for (const [status, host] of [
    [421, '127.0.0.1'],
    [550, '0.0.0.0'],
  ] as const)
    it(`is reported as "unreachable" with the reason: host ${host}, status ${status}`, async () => {
      const relay = await startRefusing(status)
      stop = relay.stop
      const mailer = createSmtpMailer({ url: `smtp://${host}:${relay.port}`, from: FROM })
      const detail = `The SMTP server rejected the EHLO greeting, which contains the host in PUBLIC_URL (${status}).`
      expect(await mailer.send(mailTo('ann@example.org'))).to.deep.equal({ kind: 'unreachable', detail })
    })
})

describe('a closed SMTP mailer', () => {
  let smtp: SmtpServer
  beforeEach(async () => (smtp = await startSmtpServer({ mode: 'hanging-after-data' })))
  afterEach(() => smtp.stop())

  const stopping: Delivery = { kind: 'unreachable', detail: 'The service is stopping.' }

  it('aborts emails in progress and sends nothing more', async () => {
    const mailer = createSmtpMailer({ url: smtp.url, from: FROM })
    const sending = mailer.send(mailTo('ann@example.org'))
    await smtp.hanging()
    await mailer.close()
    expect(await sending).to.deep.equal(stopping)
    expect(await mailer.send(mailTo('ann@example.org'))).to.deep.equal(stopping)
  })
})
