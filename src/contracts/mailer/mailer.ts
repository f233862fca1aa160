import assert from 'node:assert/strict'
import type { Email } from '../../domain/identity/email.js'
import type { Delivery, Mail, Mailer } from '../../ports/mail.js'
import { race, statementOf, type PortLaw } from '../law.js'

/** An email as the recipient's email client shows it. */
export type ReceivedMail = {
  /** The recipients in the headers and in the envelope. */
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string
  readonly html: string
  /** The names of the header fields. */
  readonly headers: readonly string[]
}

/** A mailer, and access to the server that receives its email. */
export type MailerUnderTest = {
  readonly mailer: Mailer
  /** Returns all received emails in any order. May wait until `count` emails have arrived. */
  readonly received: (count: number) => Promise<readonly ReceivedMail[]>
  /** Makes all subsequent deliveries fail, for example by stopping the server. */
  readonly disconnect: () => Promise<void>
  /** Secrets in the configuration, such as the SMTP password. */
  readonly secrets: readonly string[]
}

const law = statementOf<'mailer', MailerUnderTest>('mailer')

const KINDS: readonly string[] = ['sent', 'refused', 'deferred', 'unreachable'] satisfies Delivery['kind'][]
const LINE_BREAKS = ['\r\n', '\n', '\r', '\r\n\r\n', '\u0085', '\u2028']
const EVE = 'eve@evil.example'

/** Ambiguous addresses that a careless program interprets as Eve's address. */
const AMBIGUOUS = [
  ...[`ann@pets.example,${EVE}`, `ann@pets.example;${EVE}`, `ann@pets.example ${EVE}`],
  ...[`<${EVE}>@pets.example`, `"${EVE}"@pets.example`, `${EVE}(@pets.example)`],
  `=?utf-8?q?eve=40evil.example=3e?=@pets.example`,
]

/**
 * Contract tests for `Mailer`. Each check needs a fresh mailer whose server has not received any email. No law checks the limit of two
 * minutes, because such a check needs a server that hangs.
 */
export const mailerLaws: readonly PortLaw<'mailer', MailerUnderTest>[] = [
  law('an email is delivered once, unchanged, to its recipient only')
    .protects("Only the account's owner receives the reset link.")
    .check(async (place) => {
      const mail = { ...aMail('ann'), subject: 'Zurück auf «Anfang» 犬', text: 'Grüße\n.\nFrom here\n' }
      assert.deepEqual(await place.mailer.send(mail), { kind: 'sent' })
      const [received, ...others] = await waitForMails(place, 1)
      assert.deepEqual(others, [], 'once')
      assert.deepEqual(received && contentOf(received), contentOf({ ...mail, to: [mail.to] }))
    }),
  law('each of 16 concurrent emails is delivered once, with its own text')
    .protects("No account receives another account's link.")
    .check(async (place) => {
      const mails = await race(async (caller) => {
        const mail = aMail(`ann${caller}`)
        assert.deepEqual(await place.mailer.send(mail), { kind: 'sent' })
        return contentOf({ ...mail, to: [mail.to] })
      })
      const received = (await waitForMails(place, 16)).map(contentOf)
      assert.deepEqual(byRecipient(received), byRecipient(mails))
    }),
  law('no text in an email can inject a header, a command or another recipient')
    .protects('Text that a stranger chose cannot make the service send emails to others.')
    .check(async (place) => {
      const mails = LINE_BREAKS.map((lineBreak, index) => {
        const lines = ['Hello', `Bcc: ${EVE}`, 'X-Injected: yes', '.', `RCPT TO:<${EVE}>`, '', '<b>']
        const subject = lines.join(lineBreak)
        return { ...aMail(`ann${index}`), subject, text: `${subject}\n`, html: `${subject}\n` }
      })
      const sent = await sentOf(place, mails)
      const received = await waitForMails(place, sent.length)
      assert.deepEqual(received.flatMap(({ to }) => to).sort(), sent.map(({ to }) => to).sort())
      const names = received.flatMap(({ headers }) => headers)
      assert.deepEqual(
        names.filter((name) => /^(?:bcc|x-injected)$/i.test(name.trim())),
        [],
      )
    }),
  law('an address with a line break or a NUL is rejected')
    .protects('An address that an attacker planted in the store cannot inject SMTP commands.')
    .check(async (place) => {
      for (const odd of ['\r\n', '\n', '\r', '\u0000']) {
        const to = `ann@pets.example${odd}Bcc:${EVE}` as Email
        assert.equal((await place.mailer.send({ ...aMail('ann'), to })).kind, 'refused', JSON.stringify(to))
      }
      assert.deepEqual(await waitForMails(place, 0), [])
    }),
  law('an email to an ambiguous address reaches exactly that address, or is rejected')
    .protects("An account's link reaches no other mailbox.")
    .check(async (place) => {
      const sent = await sentOf(
        place,
        AMBIGUOUS.map((to) => ({ ...aMail('ann'), to: to as Email })),
      )
      const received = await waitForMails(place, sent.length)
      assert.deepEqual(
        received.map(({ to }) => JSON.stringify(to)).sort(),
        sent.map(({ to }) => JSON.stringify([to])).sort(),
      )
    }),
  law('send returns `unreachable` while no email can be sent, and never throws')
    .protects('While the mail server is down, emails are kept and retried.')
    .check(async (place) => {
      await place.disconnect()
      for (const name of ['ann', 'bob'])
        assert.equal((await place.mailer.send(aMail(name))).kind, 'unreachable')
    }),
  law('no result of send contains any content of the email or a secret from the configuration')
    .protects('A reader of the log can neither log in nor send emails.')
    .check(async (place) => {
      const mails = [aMail('zoe4711'), { ...aMail('max4711'), to: `max4711@pets.example\r\n${EVE}` as Email }]
      await place.disconnect()
      for (const mail of mails) {
        const answer = await place.mailer.send(mail)
        const detail = 'detail' in answer ? answer.detail : assert.fail(`the result is ${answer.kind}`)
        assert.match(detail, /^[^\r\n]+$/, 'the reason is one line of text')
        const hidden = [mail.to.split('@')[0] ?? '', mail.subject, mail.text.trim(), mail.html.trim()]
        for (const text of [...hidden, ...place.secrets]) assert.ok(!detail.includes(text), detail)
      }
    }),
  law('close can be called twice and during a send, and each pending send still resolves')
    .protects('A shutdown causes no crash, and each send reports the correct outcome.')
    .check(async ({ mailer, received }) => {
      const answers = await race(async (caller) => {
        if (caller === 8) await mailer.close()
        const mail = aMail(`ann${caller}`)
        return { to: mail.to, kind: (await mailer.send(mail)).kind }
      })
      await mailer.close()
      const sent = answers.filter(({ kind }) => kind === 'sent')
      const wrong = answers.filter(({ kind }) => !KINDS.includes(kind))
      assert.deepEqual(wrong, [])
      const recipients = (await received(sent.length)).flatMap(({ to }) => to)
      assert.equal(new Set(recipients).size, recipients.length, 'each once')
      for (const { to } of sent) assert.ok(recipients.includes(to), `${to} has received the email`)
    }),
]

function aMail(name: string): Mail {
  return {
    to: `${name}@pets.example` as Email,
    subject: `An email for ${name}`,
    text: `The link of ${name} is in this text\n`,
    html: `<p>The link of ${name} is in this HTML</p>\n`,
  }
}

/** Sends the emails, asserts that every unsent email was refused, and returns the sent emails. */
async function sentOf({ mailer }: MailerUnderTest, mails: readonly Mail[]): Promise<readonly Mail[]> {
  const sent: Mail[] = []
  for (const mail of mails) {
    const answer = await mailer.send(mail)
    if (answer.kind === 'sent') sent.push(mail)
    else assert.equal(answer.kind, 'refused', `it is ${JSON.stringify(mail)}`)
  }
  return sent
}

/** Waits for `sent` emails and returns them. A final email, which is not returned, proves that all other emails have arrived. */
async function waitForMails({ mailer, received }: MailerUnderTest, sent: number) {
  const last = aMail('the-last')
  assert.deepEqual(await mailer.send(last), { kind: 'sent' })
  return (await received(sent + 1)).filter(({ to }) => !to.includes(last.to))
}

/** Normalizes trailing white space and line breaks, which may change in transit. */
function contentOf({ to, subject, text, html }: Omit<ReceivedMail, 'headers'>) {
  const lines = (part: string) => part.replaceAll('\r\n', '\n').trimEnd()
  return { to, subject, text: lines(text), html: lines(html) }
}

function byRecipient<One extends { readonly to: readonly string[] }>(mails: readonly One[]): readonly One[] {
  return [...mails].sort((one, other) => (String(one.to) < String(other.to) ? -1 : 1))
}
