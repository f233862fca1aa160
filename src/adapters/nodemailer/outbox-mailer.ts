import { randomBytes } from 'node:crypto'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../ports/system.js'
import type { Mail, Mailer } from '../../ports/mail.js'
import { messageOf, senderOf, UNSAFE, type Sender, isDeliverable } from './message.js'

/**
 * Creates a mailer that writes each email to a separate file in `folder`; the mailer creates the folder on first use. Only the current user
 * can read the files, because an email can contain a link that gives access to an account. File names sort by time and reveal nothing about
 * the email. Each file is written completely or not at all.
 *
 * @throws Error if `from` is invalid.
 */
export function createOutboxMailer({
  folder,
  from,
  clock,
}: {
  readonly folder: string
  readonly from: string
  readonly clock: Clock
}): Mailer {
  const sender = senderOf(from)
  let count = 0
  return {
    async send(mail) {
      if (!isDeliverable(mail.to)) return UNSAFE
      const at = new Date(clock())
      count += 1
      const text = await compose(mail, sender, at)
      try {
        await keep(folder, nameOf(at, count), text)
        return { kind: 'sent' }
      } catch (error) {
        return { kind: 'unreachable', detail: `The outbox cannot be written: ${codeOf(error)}.` }
      }
    },
    async close() {},
  }
}

async function compose(mail: Mail, sender: Sender, date: Date): Promise<Buffer> {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  const { message } = await transport.sendMail({ ...messageOf(mail, sender), date })
  if (!Buffer.isBuffer(message)) throw new Error('nodemailer did not produce a message')
  return message
}

async function keep(folder: string, name: string, text: Buffer): Promise<void> {
  const unfinished = join(folder, `.${name}.tmp`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  try {
    await writeFile(unfinished, text, { mode: 0o600, flag: 'wx' })
    await rename(unfinished, join(folder, name))
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

function nameOf(at: Date, count: number): string {
  const time = at.toISOString().replaceAll(/[-:]/g, '')
  return `${time}-${String(count).padStart(6, '0')}-${randomBytes(6).toString('hex')}.eml`
}

/** Returns only the error code, because the error message would repeat the path. */
function codeOf(error: unknown): string {
  if (error instanceof Error && 'syscall' in error && 'code' in error) return String(error.code)
  throw error
}
