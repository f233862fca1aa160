import { loadMailTemplates } from '../../../src/adapters/mustache/mail-templates.js'
import type { Delivery, Mail, Mailer, MailTemplates } from '../../../src/ports/mail.js'

export type Postbox = ReturnType<typeof createPostbox>

export const SENT: Delivery = { kind: 'sent' }

/** An in-memory mail server: `tried` contains all emails that were sent to it, and `arrived` the emails that it accepted. */
export function createPostbox() {
  const tried: Mail[] = []
  const arrived: Mail[] = []
  let answer: (mail: Mail) => Delivery | Promise<Delivery> = () => SENT
  return {
    tried,
    arrived,
    /** Sets the outcome of later deliveries; by default, emails are accepted. */
    answer: (how: typeof answer) => {
      answer = how
    },
    mailer: {
      send: async (mail) => {
        tried.push(mail)
        const delivery = await answer(mail)
        if (delivery.kind === 'sent') arrived.push(mail)
        return delivery
      },
      close: async () => undefined,
    } satisfies Mailer,
  }
}

export function ownTemplates(): MailTemplates {
  const loaded = loadMailTemplates()
  if (!loaded.ok) throw new Error(loaded.errors.join('\n'))
  return loaded.templates
}

export function linkIn(mail: Mail | undefined): string {
  const links = (mail?.text ?? '').split('\n').filter((line) => line.startsWith('https://'))
  if (links.length !== 1) throw new Error(`a mail has ${links.length} links: ${String(mail?.text)}`)
  return links.join()
}

/** Returns the parameters that the linked page reads from the fragment. */
export function fragmentOf(link: string): Readonly<Record<string, string>> {
  return Object.fromEntries(new URLSearchParams(new URL(link).hash.slice(1)))
}

export function tokenIn(mail: Mail | undefined): string {
  return fragmentOf(linkIn(mail))['resetToken'] ?? ''
}
