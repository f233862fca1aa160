import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { PROJECT } from '../project.js'
import type { Message } from './smtp-server.js'

const say = (message: Message) => process.send?.(message)

/** By default, the server accepts every email; each mode changes one aspect of this. */
const PLAIN: SMTPServerOptions = {
  authOptional: true,
  disabledCommands: ['AUTH', 'STARTTLS'],
  disableReverseLookup: true,
  // Disabled, because the server would log messages about its certificates.
  logger: false,
  onData: (stream, session, done) => {
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('end', () => {
      const { mailFrom, rcptTo } = session.envelope
      say({
        kind: 'mail',
        from: mailFrom === false ? '' : mailFrom.address,
        to: rcptTo.map((one) => one.address),
        secure: session.secure,
        user: String(session.user ?? ''),
        greeting: session.hostNameAppearsAs,
        raw: Buffer.concat(chunks).toString('utf8'),
      })
      done()
    })
  },
}

const pem = (name: string) => readFileSync(join(PROJECT, 'test', 'support', 'mail', `test-only-${name}.pem`))
const tls = () => ({ cert: pem('certificate'), key: pem('key') })

/** Replies with this status and a text that contains the address, as real servers do. */
const answer = (responseCode: number, words = 'no') => Object.assign(new Error(words), { responseCode })

const answerRecipient = (status: number): SMTPServerOptions => ({
  onRcptTo: ({ address }, _session, done) => done(answer(status, `<${address}> is not here`)),
})
const answerMessage = (status: number): SMTPServerOptions => ({
  onData: (stream, _session, done) => {
    stream.resume()
    stream.on('end', () => done(answer(status)))
  },
})
const never = () => {}

const MODES: Readonly<Record<string, () => SMTPServerOptions>> = {
  plain: () => ({}),
  starttls: () => ({ ...tls(), disabledCommands: ['AUTH'] }),
  smtps: () => ({ ...tls(), secure: true, disabledCommands: ['AUTH', 'STARTTLS'] }),
  auth: () => ({
    ...tls(),
    authOptional: false,
    disabledCommands: [],
    onAuth: ({ username, password }, _session, done) =>
      username === 'kennel' && password === 'p@ss:w/rd'
        ? done(null, { user: username })
        : done(answer(535, `${String(username)} ${String(password)}`)),
  }),
  'refusing-connections': () => ({ onConnect: (_session, done) => done(answer(554)) }),
  'refusing-sender': () => ({ onMailFrom: (_address, _session, done) => done(answer(550)) }),
  'refusing-recipient': () => answerRecipient(550),
  'deferring-recipient': () => answerRecipient(451),
  'going-away': () => ({ ...answerRecipient(421), hidePIPELINING: true }),
  'refusing-message': () => answerMessage(554),
  'deferring-message': () => answerMessage(452),
  'hanging-before-greeting': () => ({ onConnect: never }),
  'hanging-after-greeting': () => ({ onMailFrom: never }),
  'hanging-after-data': () => ({
    onData: (stream) => void stream.resume().on('end', () => say({ kind: 'hanging' })),
  }),
  /** The whole process exits as soon as the first bytes of a message arrive. */
  'dying-in-data': () => ({
    onData: (stream) => void stream.once('data', () => process.kill(process.pid, 'SIGKILL')),
  }),
}

const [mode = '', port = ''] = process.argv.slice(2)
const change = MODES[mode]
if (!change) throw new Error('unknown mode')
const server = new SMTPServer({ ...PLAIN, ...change() })
/** A client may disconnect in the middle of a command. */
server.on('error', never)
server.listen(Number(port), '127.0.0.1', () => {
  say({ kind: 'ready', port: (server.server.address() as AddressInfo).port })
})
/** The parent process has died. */
process.on('disconnect', () => process.exit())
