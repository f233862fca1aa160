import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type Envelope, readMail, type ReceivedMail } from './received-mail.js'

export type Message =
  | { readonly kind: 'ready'; readonly port: number }
  | (Envelope & { readonly kind: 'mail'; readonly raw: string })
  | { readonly kind: 'hanging' }

export type SmtpServer = Awaited<ReturnType<typeof startSmtpServer>>

const SCRIPT = fileURLToPath(new URL('smtp-server-main.js', import.meta.url))
const TIMEOUT = 120_000

export async function startSmtpServer({ mode = 'plain', port = 0 } = {}) {
  const child = fork(SCRIPT, [mode, String(port)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const closed = once(child, 'close')
  child.on('message', (message: Message) => child.emit(message.kind, message))
  const hanging = once(child, 'hanging')
  const mails: ReceivedMail[] = []
  child.on('mail', ({ kind: _, raw, ...envelope }: Message & { kind: 'mail' }) => {
    mails.push(readMail(raw, envelope))
  })
  const bound = await Promise.race([once(child, 'ready'), closed.then(() => undefined)])
  if (!bound) throw new Error('the SMTP server did not start')
  const [ready] = bound as [Message & { kind: 'ready' }]
  let taken = 0
  return {
    /** The URL for MAIL_URL, without a user. */
    url: `${mode === 'smtps' ? 'smtps' : 'smtp'}://127.0.0.1:${ready.port}`,
    port: ready.port,
    mails: (): readonly ReceivedMail[] => mails,
    async nextMail() {
      const late = AbortSignal.timeout(TIMEOUT)
      taken += 1
      const mine = taken
      while (mails.length < mine) {
        await once(child, 'mail', { signal: late }).catch(() => {
          throw new Error(`only ${mails.length} mails have arrived, not ${mine}`)
        })
      }
      return mails[mine - 1]!
    },
    hanging: () => hanging,
    /** Stops the server in any state; may be called twice. `startSmtpServer({ port })` restarts the server. */
    async stop() {
      child.kill('SIGKILL')
      await closed
    },
  }
}
