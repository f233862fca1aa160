import { inspect } from 'node:util'
import { expect } from 'chai'
import { createSmtpMailer } from '../../../src/adapters/nodemailer/index.js'
import { type SmtpServer, startSmtpServer } from '../../support/mail/smtp-server.js'
import { FROM, mailTo } from './samples.js'

describe('the SMTP mailer', () => {
  let smtp: SmtpServer
  before(async () => (smtp = await startSmtpServer()))
  after(() => smtp.stop())

  async function arrived(mail = mailTo('ann@example.org'), from = FROM) {
    expect(await createSmtpMailer({ url: smtp.url, from }).send(mail)).to.deep.equal({ kind: 'sent' })
    return await smtp.nextMail()
  }

  it('hands the mail over to its recipient alone, from the configured sender', async () => {
    const { from, to, subject, text, html } = await arrived()
    const { to: _, ...sent } = mailTo('ann@example.org')
    expect({ subject, text: text.trimEnd() + '\n', html: html.trimEnd() + '\n' }).to.deep.equal(sent)
    expect({ from, to }).to.deep.equal({ from: 'no-reply@kennel.example', to: ['ann@example.org'] })
  })

  it('writes these headers and no other', async () => {
    const { headers } = await arrived()
    const said = headers.filter(([name]) => !['Message-ID', 'Date', 'Content-Type'].includes(name))
    expect(Object.fromEntries(said)).to.deep.equal({
      'Auto-Submitted': 'auto-generated',
      From: 'Kennel <no-reply@kennel.example>',
      To: 'ann@example.org',
      Subject: 'Reset your password',
      'MIME-Version': '1.0',
    })
    expect(headers.length - said.length).to.equal(3)
  })

  it('gives each mail a separate Message-ID with the domain of the sender', async () => {
    const headers = [...(await arrived()).headers, ...(await arrived()).headers]
    const ids = headers.filter(([name]) => name === 'Message-ID').map(([, id]) => id)
    expect(ids).to.have.length(2)
    expect(ids.every((id) => /^<[^<>@\s]+@kennel\.example>$/.test(id))).to.be.true
    expect(ids[0]).to.not.equal(ids[1])
  })

  it('keeps letters of any language as they are', async () => {
    const mail = {
      ...mailTo('ann@example.org'),
      subject: 'Zurück auf «Anfang» 🐈',
      text: 'Grüße\n',
      html: 'Ω',
    }
    const { subject, text, html } = await arrived(mail, '"Kénnel, Ltd." <no-reply@kennel.example>')
    expect([subject, text.trim(), html.trim()]).to.deep.equal([mail.subject, 'Grüße', 'Ω'])
  })

  it('names the sender as configured, with a comma too', async () => {
    const { headers } = await arrived(mailTo('ann@example.org'), '"Kennel, Ltd." <no-reply@kennel.example>')
    expect(headers.find(([name]) => name === 'From')?.[1]).to.equal(
      '"Kennel, Ltd." <no-reply@kennel.example>',
    )
  })

  it('lets no line break of a subject begin a header', async () => {
    const subject = 'Hello\r\nBcc: eve@example.org\r\n\r\n<b>'
    const { to, headers } = await arrived({ ...mailTo('ann@example.org'), subject })
    expect(to).to.deep.equal(['ann@example.org'])
    expect(headers.map(([name]) => name)).to.not.include('Bcc')
    expect(headers.find(([name]) => name === 'Subject')?.[1]).to.equal('Hello Bcc: eve@example.org  <b>')
  })

  it('sends mails concurrently', async () => {
    const mailer = createSmtpMailer({ url: smtp.url, from: FROM })
    const names = Array.from({ length: 8 }, (_, index) => `ann${index}@example.org`)
    const sent = await Promise.all(names.map((name) => mailer.send(mailTo(name))))
    const received = await Promise.all(names.map(() => smtp.nextMail()))
    expect(sent).to.deep.equal(names.map(() => ({ kind: 'sent' })))
    expect(received.flatMap(({ to }) => to).sort()).to.deep.equal(names)
  })
})

describe('the configuration of the SMTP mailer', () => {
  const urls = [
    'kennel:s3cret@',
    'http://kennel:s3cret@example.org',
    'smtp://kennel:s3cret@',
    'smtp://kennel:s3cret@example.org:port',
    'smtp://kennel:s3cret%@example.org',
  ]
  for (const url of urls) {
    it(`refuses ${url.replace('s3cret', '…')} without showing it`, () => {
      let fault: unknown
      try {
        createSmtpMailer({ url, from: FROM })
      } catch (error) {
        fault = error
      }
      expect(inspect(fault)).to.include('MAIL_URL is not a URL of the kind smtp://user:password@host:port.')
      expect(inspect(fault)).to.not.include('s3cret')
    })
  }

  for (const from of [
    ...['', 'Kennel', 'Kennel <>', 'a@x.org, b@x.org', 'K\r\nBcc: eve@x.org <a@x.org>', '<a@x>.org'],
  ]) {
    it(`refuses the sender ${JSON.stringify(from)}`, () => {
      expect(() => createSmtpMailer({ url: 'smtp://localhost', from })).to.throw(
        'MAIL_FROM is not an address',
      )
    })
  }
})
