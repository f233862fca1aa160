import os from 'node:os'
import { inspect } from 'node:util'
import { expect } from 'chai'
import sinon from 'sinon'
import { createSmtpMailer } from '../../../src/adapters/nodemailer/index.js'
import { type SmtpServer, startSmtpServer } from '../../support/mail/smtp-server.js'
import { FROM, mailTo } from './samples.js'

// The contract tests of mailers show that an email reaches only its recipient, unchanged, even if emails are sent concurrently.
describe('the SMTP mailer', () => {
  let smtp: SmtpServer
  before(async () => (smtp = await startSmtpServer()))
  after(() => smtp.stop())

  async function arrived(from = FROM, publicUrl?: string) {
    const mailer = createSmtpMailer({ url: smtp.url, from, ...(publicUrl !== undefined && { publicUrl }) })
    expect(await mailer.send(mailTo('ann@example.org'))).to.deep.equal({ kind: 'sent' })
    return await smtp.nextMail()
  }

  it('sends the configured sender and exactly the expected headers', async () => {
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

  it('gives each email a unique Message-ID with the domain of the sender', async () => {
    const headers = [...(await arrived()).headers, ...(await arrived()).headers]
    const ids = headers.filter(([name]) => name === 'Message-ID').map(([, id]) => id)
    expect(ids).to.have.length(2)
    expect(ids.every((id) => /^<[^<>@\s]+@kennel\.example>$/.test(id))).to.be.true
    expect(ids[0]).to.not.equal(ids[1])
  })

  it('sends the configured sender name, even with a comma', async () => {
    const from = '"Kennel, Ltd." <no-reply@kennel.example>'
    const { headers } = await arrived(from)
    expect(headers.find(([name]) => name === 'From')?.[1]).to.equal(from)
  })

  it('greets the server with the host name of the public URL', async () => {
    expect((await arrived(FROM, 'https://pets.example:8443')).greeting).to.equal('pets.example')
  })

  it('reveals neither the host name nor the time zone of the machine', async () => {
    const hostName = sinon.stub(os, 'hostname').returns('build-7.internal')
    const zone = process.env['TZ']
    process.env['TZ'] = 'Asia/Kolkata'
    try {
      const { greeting, raw, headers } = await arrived()
      expect(greeting).to.equal('kennel.example')
      expect(raw).to.not.contain('build-7')
      expect(headers.find(([name]) => name === 'Date')?.[1]).to.match(/ \+0000$/)
    } finally {
      hostName.restore()
      if (zone === undefined) delete process.env['TZ']
      else process.env['TZ'] = zone
    }
  })
})

describe('the configuration of the SMTP mailer', () => {
  for (const end of ['@', '@example.org:port', '%@example.org'])
    it(`rejects smtp://kennel:…${end} without revealing the URL`, () => {
      expect(() => createSmtpMailer({ url: `smtp://kennel:s3cret${end}`, from: FROM }))
        .to.throw('MAIL_URL must name a server, such as smtp://user:password@mail.example:587')
        .and.satisfy((error: unknown) => !inspect(error).includes('s3cret'))
    })

  for (const from of [
    '',
    'Kennel',
    'Kennel <>',
    'a@x.org, b@x.org',
    'K\r\nBcc: eve@x.org <a@x.org>',
    '<a@x>.org',
  ])
    it(`rejects the sender ${JSON.stringify(from)}`, () => {
      expect(() => createSmtpMailer({ url: 'smtp://localhost', from })).to.throw(
        'MAIL_FROM is not an address',
      )
    })
})
