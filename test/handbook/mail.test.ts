import { mkdirSync, writeFileSync } from 'node:fs'
import { expect } from 'chai'
import { startSmtpServer } from '../support/mail/smtp-server.js'
import { suiteFolder } from '../support/temporary-folder.js'
import { follow } from './follow.js'
import { readPage } from './page.js'

describe('the page on mail', () => {
  const folder = suiteFolder()

  it('works with a real mail server', async () => {
    const smtp = await startSmtpServer()
    mkdirSync(folder('mailbox'))
    const received = smtp.nextMail().then(({ to, raw }) => {
      writeFileSync(folder('mailbox', 'mail.eml'), raw)
      return to
    })
    const env = { MAIL_URL: smtp.url, MAIL_FROM: 'kennel@example.com', MAILBOX: folder('mailbox') }
    try {
      await follow(readPage('docs/operate/mail.md'), 'kennel', env)
      expect(await received).to.deep.equal(['ruth@example.com'])
    } finally {
      await smtp.stop()
    }
  })
})
