import { expect } from 'chai'
import { createSmtpMailer } from '../../../src/adapters/nodemailer/index.js'
import { type SmtpServer, startSmtpServer } from '../../support/mail/smtp-server.js'
import { FROM, mailTo } from './samples.js'

const UNSAFE = { kind: 'refused', detail: 'The address is not safe to send to.' }

/**
 * Addresses that `email` accepts, although some servers interpret them as another mailbox or none. The contract
 * tests of mailers have more examples.
 */
const NOT_SENT = [
  ...['a:b@x.org', 'a@x.org>', '"x@y.org', 'a(b)@x.org', 'a\\b@x.org', '[a]@x.org', 'a@x,y.org', 'a@x_y.org'],
  ...['a@x.org.', 'a@-x.org', 'a@[127.0.0.1]', 'a@127.1', 'a@exa\u00admple.org', 'a@xn--a.org', 'a@x%2eorg'],
]

/** Accepted addresses, which arrive unchanged. */
const SENT = [
  ...['ann@example.org', "o'hara+pets=1@example.org", '{a|b}~c!d#e$f%g^h&i*j/k?l`m_n-o@example.org'],
  ...['jürgen@example.org', 'ann@bücher.example', 'ann@faß.example', 'jürgen@bücher.example'],
  ...['用户@例子.example', 'root@localhost'],
]

describe('an email to an unusual address', () => {
  let smtp: SmtpServer
  before(async () => (smtp = await startSmtpServer()))
  after(() => smtp.stop())

  for (const address of NOT_SENT)
    it(`is rejected without a connection to the server for ${JSON.stringify(address)}`, async () => {
      // No server listens there, so sending would result in "unreachable".
      const mailer = createSmtpMailer({ url: 'smtp://127.0.0.1:1', from: FROM })
      expect(await mailer.send(mailTo(address))).to.deep.equal(UNSAFE)
    })

  // The dots in the last address require quotes.
  for (const [address, received] of [...SENT.map((one) => [one, one]), ['.ann.@x.org', '".ann."@x.org']])
    it(`arrives at ${received}`, async () => {
      const mailer = createSmtpMailer({ url: smtp.url, from: FROM })
      expect(await mailer.send(mailTo(address ?? ''))).to.deep.equal({ kind: 'sent' })
      expect((await smtp.nextMail()).to).to.deep.equal([received])
    })
})
