import { rootCertificates } from 'node:tls'
import { expect } from 'chai'
import { createSmtpMailer } from '../../../../src/adapters/nodemailer/index.js'
import { textOf } from '../../../support/project.js'
import { startSmtpServer, type SmtpServer } from '../../../support/mail/smtp-server.js'
import { FROM, mailTo } from '../samples.js'

type Settings = { readonly host?: string; readonly user?: string; readonly ca?: string }
/** `outcome` is whether the email arrives over TLS, or the reason why it is not sent. */
type Way = readonly [title: string, mode: string, settings: Settings, outcome: boolean | string]

const OURS = textOf('test', 'support', 'mail', 'test-only-certificate.pem')
const OTHER = rootCertificates[0]!
/** This address reaches the test server, but the mailer does not treat it as a loopback address. */
const AWAY = '0.0.0.0'
const SELF_SIGNED = 'The connection to the SMTP server failed (DEPTH_ZERO_SELF_SIGNED_CERT).'
const NO_TLS = 'The SMTP server does not support STARTTLS (500).'
const NO_LOGIN = 'The SMTP server rejected the user name or the password in MAIL_URL'

const WAYS: readonly Way[] = [
  ...['starttls', 'smtps'].flatMap((mode): Way[] => [
    ['encrypts if the certificate is known', mode, { ca: OURS }, true],
    ['sends nothing if another certificate is known', mode, { ca: OTHER }, SELF_SIGNED],
    ['sends nothing to an unknown certificate', mode, { host: AWAY }, SELF_SIGNED],
    ['encrypts with any certificate on a loopback address', mode, {}, true],
  ]),
  ['sends nothing without TLS', 'plain', { host: AWAY }, NO_TLS],
  ['sends nothing without TLS to a loopback address with a known certificate', 'plain', { ca: OURS }, NO_TLS],
  ['sends without TLS to 127.0.0.1', 'plain', {}, false],
  ['sends without TLS to LOCALHOST', 'plain', { host: 'LOCALHOST' }, false],
  ['logs in with the user name and the password', 'auth', { user: 'kennel:p%40ss%3Aw%2Frd@' }, true],
  ['hides the password of a rejected login', 'auth', { user: 'kennel:wrong@' }, `${NO_LOGIN} (535).`],
  ['reports a missing login', 'auth', {}, 'The SMTP server accepts no mail from this service (530).'],
  ['never skips the login that a URL requires', 'plain', { user: 'kennel:p%40ss@' }, `${NO_LOGIN} (500).`],
]

describe('the connection to an SMTP server', () => {
  let smtp: SmtpServer
  afterEach(() => smtp.stop())

  for (const [title, mode, { host = '127.0.0.1', user = '', ca }, outcome] of WAYS)
    it(`${title}: ${mode}`, async () => {
      smtp = await startSmtpServer({ mode })
      const url = smtp.url.replace('//127.0.0.1', `//${user}${host}`)
      const mailer = createSmtpMailer({ url, from: FROM, ...(ca !== undefined && { ca }) })
      const delivery = await mailer.send(mailTo('ann@example.org'))
      if (typeof outcome === 'string') {
        expect(delivery).to.deep.equal({ kind: 'unreachable', detail: outcome })
        expect(smtp.mails()).to.be.empty
        return
      }
      expect(delivery).to.deep.equal({ kind: 'sent' })
      const received = await smtp.nextMail()
      const login = user === '' ? {} : { user: 'kennel' }
      expect(received).to.deep.include({ to: ['ann@example.org'], secure: outcome, ...login })
    })
})
