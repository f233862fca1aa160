import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createOutboxMailer, createSmtpMailer } from '../../../src/adapters/nodemailer/index.js'
import { mailerLaws } from '../../../src/contracts/index.js'
import type { MailerUnderTest, ReceivedMail } from '../../../src/contracts/mailer/mailer.js'
import type { Mail, Mailer } from '../../../src/ports/mail.js'
import { readMail } from '../../support/mail/received-mail.js'
import { startSmtpServer, type SmtpServer } from '../../support/mail/smtp-server.js'
import { suiteFolder } from '../../support/temporary-folder.js'
import { FROM } from '../../adapters/nodemailer/samples.js'
import { PlantedError, describePartLaws, type BrokenPart } from '../describe-laws.js'

const PASSWORD = 'p@ss:w/rd'
const ENCODED = encodeURIComponent(PASSWORD)

type Line = { readonly arrived: ReceivedMail[]; isConnected: boolean }
type Change = (sound: Mailer, line: Line) => Partial<Mailer>

/** A correct in-memory mailer, without a server. */
function mailerOf(line: Line): Mailer {
  return {
    async send({ to, ...mail }) {
      if (/[^\w@.-]/.test(to)) return { kind: 'refused', detail: 'That is no address.' }
      await Promise.resolve()
      if (!line.isConnected) return { kind: 'unreachable', detail: 'The server is away.' }
      line.arrived.push({ ...mail, to: [to], headers: ['To', 'Subject'] })
      return { kind: 'sent' }
    },
    async close() {},
  }
}

function openLine(change: Change = () => ({})): MailerUnderTest {
  const line: Line = { arrived: [], isConnected: true }
  const sound = mailerOf(line)
  return {
    mailer: { ...sound, ...change(sound, line) },
    received: async () => line.arrived,
    disconnect: async () => {
      line.isConnected = false
    },
    secrets: [PASSWORD],
  }
}

const changed = (name: string, breaks: RegExp, change: Change): BrokenPart<MailerUnderTest> => ({
  name,
  breaks,
  open: () => openLine(change),
})

const received = (mail: Mail, to: readonly string[], headers: readonly string[] = []): ReceivedMail => ({
  ...mail,
  to,
  headers,
})

const broken: readonly BrokenPart<MailerUnderTest>[] = [
  changed('an email is delivered twice', /is delivered once,/, (sound) => ({
    async send(mail) {
      await sound.send(mail)
      return await sound.send(mail)
    },
  })),
  changed('only ASCII leaves', /an email is/, (sound) => ({
    send: (mail) => sound.send({ ...mail, subject: mail.subject.replaceAll(/[^ -~]/g, '?') }),
  })),
  changed('concurrent emails share a text', /each of 16/, (sound) => {
    let shared = ''
    return {
      async send(mail) {
        shared = mail.text
        await Promise.resolve()
        return await sound.send({ ...mail, text: shared })
      },
    }
  }),
  changed('a line of the text is interpreted as a command', /no text in/, (_sound, { arrived }) => ({
    async send(mail) {
      const [, more] = /^RCPT TO:<(.*)>$/m.exec(mail.text) ?? []
      arrived.push(received(mail, more === undefined ? [mail.to] : [mail.to, more]))
      return { kind: 'sent' }
    },
  })),
  changed('every address is accepted', /an address with/, (_sound, { arrived }) => ({
    async send(mail) {
      arrived.push(received(mail, [mail.to]))
      return { kind: 'sent' }
    },
  })),
  changed('an address is read as a list', /an ambiguous/, (_sound, { arrived }) => ({
    async send(mail) {
      arrived.push(
        received(
          mail,
          mail.to.split(/[,;\s<>"()]+/).filter((one) => one.includes('@')),
        ),
      )
      return { kind: 'sent' }
    },
  })),
  changed('an unreachable server causes an error', /send returns/, (sound, line) => ({
    async send(mail) {
      if (!line.isConnected) throw new PlantedError('ECONNREFUSED')
      return await sound.send(mail)
    },
  })),
  changed('the log contains the password', /no result of/, (sound) => ({
    async send(mail) {
      const answer = await sound.send(mail)
      return answer.kind === 'sent' ? answer : { ...answer, detail: `smtp://kennel:${PASSWORD}@mail` }
    },
  })),
  changed('sending an email after closing throws', /close can be/, (sound) => {
    let isClosed = false
    return {
      async send(mail) {
        if (isClosed) throw new PlantedError('closed')
        return await sound.send(mail)
      },
      async close() {
        isClosed = true
      },
    }
  }),
]

describe('a mailer and its receiving server', () => {
  const inFolder = suiteFolder()
  let folders = 0
  let server: SmtpServer | undefined
  afterEach(async () => {
    await server?.stop()
    server = undefined
  })

  async function openSmtp(): Promise<MailerUnderTest> {
    const smtp = (server = await startSmtpServer({ mode: 'auth' }))
    const url = smtp.url.replace('//', `//kennel:${ENCODED}@`)
    return {
      mailer: createSmtpMailer({ url, from: FROM }),
      async received(count) {
        for (let taken = 0; taken < count; taken += 1) await smtp.nextMail()
        return smtp.mails().map((mail) => ({ ...mail, headers: mail.headers.map(([name]) => name) }))
      },
      disconnect: () => smtp.stop(),
      secrets: [PASSWORD, ENCODED],
    }
  }

  function openOutbox(): MailerUnderTest {
    folders += 1
    const folder = inFolder(`outbox ${folders}`)
    const read = async (name: string): Promise<ReceivedMail> => {
      const mail = readMail(await readFile(join(folder, name), 'utf8'), {
        from: '',
        to: [],
        secure: false,
        user: '',
      })
      const to = mail.headers.filter(([header]) => /^(to|cc|bcc)$/i.test(header)).map(([, value]) => value)
      return { ...mail, to, headers: mail.headers.map(([header]) => header) }
    }
    return {
      mailer: createOutboxMailer({ folder, from: FROM, clock: () => 1_900_000_000_000 }),
      received: async () => await Promise.all((await readdir(folder)).map(read)),
      // Replaces the folder with a file, because root can write even to a read-only folder.
      async disconnect() {
        await rm(folder, { recursive: true, force: true })
        await writeFile(folder, '')
      },
      secrets: [folder],
    }
  }

  describePartLaws('mailer', {
    laws: mailerLaws,
    sound: {
      'the SMTP mailer': openSmtp,
      'the mailer that writes emails to files': openOutbox,
      'a mailer without a server': () => openLine(),
    },
    broken,
  })
})
