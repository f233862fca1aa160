import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { expect } from 'chai'
import { createSmtpMailer } from '../../../../src/adapters/nodemailer/index.js'
import { PROJECT } from '../../../support/project.js'
import { type SmtpServer, startSmtpServer } from '../../../support/mail/smtp-server.js'
import { FROM, mailTo } from '../samples.js'

const OURS = readFileSync(join(PROJECT, 'test', 'support', 'mail', 'test-only-certificate.pem'), 'utf8')
const OTHER = rootCertificates[0]!
const SELF_SIGNED = 'There is no good connection to the SMTP server (DEPTH_ZERO_SELF_SIGNED_CERT).'
const NO_LOGIN = 'The SMTP server does not accept the user name and the password of MAIL_URL'

let smtp: SmtpServer

const send = async (settings: { host?: string; user?: string; ca?: string } = {}) => {
  const url = smtp.url.replace('//127.0.0.1', `//${settings.user ?? ''}${settings.host ?? '127.0.0.1'}`)
  const ca = settings.ca === undefined ? {} : { ca: settings.ca }
  return await createSmtpMailer({ url, from: FROM, ...ca }).send(mailTo('ann@example.org'))
}

async function expectSentSecurely() {
  const { to, secure } = await smtp.nextMail()
  expect({ to, secure }).to.deep.equal({ to: ['ann@example.org'], secure: true })
}

async function expectUnreachable(sending: Promise<unknown>, detail: string) {
  expect(await sending).to.deep.equal({ kind: 'unreachable', detail })
  expect(smtp.mails()).to.be.empty
}

describe('the way to an SMTP server', () => {
  afterEach(() => smtp.stop())

  for (const mode of ['starttls', 'smtps']) {
    describe(`by ${mode}`, () => {
      beforeEach(async () => (smtp = await startSmtpServer({ mode })))

      it('is encrypted if the certificate is known', async () => {
        expect(await send({ ca: OURS })).to.deep.equal({ kind: 'sent' })
        await expectSentSecurely()
      })

      it('is not used if another certificate is known', async () => {
        await expectUnreachable(send({ ca: OTHER }), SELF_SIGNED)
      })

      it('is not used with an unknown certificate', async () => {
        await expectUnreachable(send({ host: '0.0.0.0' }), SELF_SIGNED)
      })

      it('is encrypted with any certificate on a loopback address', async () => {
        expect(await send()).to.deep.equal({ kind: 'sent' })
        await expectSentSecurely()
      })
    })
  }

  describe('without TLS', () => {
    beforeEach(async () => (smtp = await startSmtpServer()))
    const NO_TLS = 'The SMTP server does not begin TLS (500).'

    it('is not used', async () => {
      await expectUnreachable(send({ host: '0.0.0.0' }), NO_TLS)
    })

    it('is not used to a loopback address if a certificate is known', async () => {
      await expectUnreachable(send({ ca: OURS }), NO_TLS)
    })

    for (const host of ['127.0.0.1', 'localhost', 'LOCALHOST']) {
      it(`is used to ${host}`, async () => {
        expect(await send({ host })).to.deep.equal({ kind: 'sent' })
        expect((await smtp.nextMail()).secure).to.be.false
      })
    }
  })
})

describe('the login at an SMTP server', () => {
  afterEach(() => smtp.stop())

  it('takes the user name and the password from the URL', async () => {
    smtp = await startSmtpServer({ mode: 'auth' })
    expect(await send({ user: 'kennel:p%40ss%3Aw%2Frd@' })).to.deep.equal({ kind: 'sent' })
    expect((await smtp.nextMail()).user).to.equal('kennel')
  })

  it('reports a rejected login without the password', async () => {
    smtp = await startSmtpServer({ mode: 'auth' })
    await expectUnreachable(send({ user: 'kennel:wrong@' }), `${NO_LOGIN} (535).`)
  })

  it('is reported as missing if the server requires it', async () => {
    smtp = await startSmtpServer({ mode: 'auth' })
    await expectUnreachable(send(), 'The SMTP server takes no mail from us (530).')
  })

  it('is not skipped if the server does not offer it', async () => {
    smtp = await startSmtpServer()
    await expectUnreachable(send({ user: 'kennel:p%40ss@' }), `${NO_LOGIN} (500).`)
  })
})
