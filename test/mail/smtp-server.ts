import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type Envelope, readMail, type ReceivedMail } from './received-mail.js'

/** A real SMTP server in a process of its own. */
export type SmtpServer = {
  /** For MAIL_URL; without a user. */
  readonly url: string
  readonly port: number
  /** Everything that arrived so far. */
  mails(): readonly ReceivedMail[]
  /** The first mail that was not taken yet; waits for it up to 10 s. */
  nextMail(): Promise<ReceivedMail>
  /** Waits until a server that is `hanging-after-data` has read a message to its end. */
  messageBegun(): Promise<void>
  /** Ends it, in the middle of whatever it does; may be called twice. `startSmtpServer({ port })` starts it anew. */
  stop(): Promise<void>
}

const SCRIPT = fileURLToPath(new URL('smtp-server-main.js', import.meta.url))
const PATIENCE = 10_000

/** Starts a server with one of the modes of `smtp-server-main.ts`, on a free port where none is given. */
export async function startSmtpServer({ mode = 'plain', port = 0 } = {}): Promise<SmtpServer> {
  const child = fork(SCRIPT, [mode, String(port)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const closed = once(child, 'close')
  const [bound] = (await Promise.race([once(child, 'message'), closed])) as [unknown]
  if (child.exitCode !== null) throw new Error('the SMTP server did not start')
  const mails: ReceivedMail[] = []
  let taken = 0
  const begun = once(child, 'begun')
  child.on('message', (message) => message === 'begun' && child.emit('begun'))
  child.on('message', ({ raw, ...envelope }: Envelope & { raw: string }) => {
    mails.push(readMail(raw, envelope))
    child.emit('mail')
  })
  return {
    url: `${mode === 'smtps' ? 'smtps' : 'smtp'}://127.0.0.1:${Number(bound)}`,
    port: Number(bound),
    mails: () => mails,
    async nextMail() {
      const late = AbortSignal.timeout(PATIENCE)
      taken += 1
      const mine = taken
      while (mails.length < mine) {
        await once(child, 'mail', { signal: late }).catch(() => {
          throw new Error(`only ${mails.length} mails have arrived, not ${mine}`)
        })
      }
      return mails[mine - 1]!
    },
    async stop() {
      child.kill('SIGKILL')
      await closed
    },
  }
}
