import { inspect } from 'node:util'
import { expect } from 'chai'
import { createSmtpMailer } from '../../../src/adapters/nodemailer/index.js'
import { type SmtpServer, startSmtpServer } from '../../support/mail/smtp-server.js'
import { FROM, mailTo } from './samples.js'

// The laws of mailers show that a mail reaches its recipient alone, unchanged, also concurrently.
describe('the SMTP mailer', () => {
  let smtp: SmtpServer
  before(async () => (smtp = await startSmtpServer()))
  after(() => smtp.stop())

  async function arrived(from = FROM) {
    const mailer = createSmtpMailer({ url: smtp.url, from })
    expect(await mailer.send(mailTo('ann@example.org'))).to.deep.equal({ kind: 'sent' })
    return await smtp.nextMail()
  }

  it('writes the configured sender and exactly these headers', async () => {
    const { from, headers } = await arrived()
    expect(from).to.equal('no-reply@kennel.example')
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

  it('names the sender as configured, with a comma too', async () => {
    const from = '"Kennel, Ltd." <no-reply@kennel.example>'
    const { headers } = await arrived(from)
    expect(headers.find(([name]) => name === 'From')?.[1]).to.equal(from)
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
      expect(() => createSmtpMailer({ url, from: FROM }))
        .to.throw('MAIL_URL is not a URL of the kind smtp://user:password@host:port.')
        .and.satisfy((error: unknown) => !inspect(error).includes('s3cret'))
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
