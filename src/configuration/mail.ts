import { canonicalEmail } from '../domain/identity/email.js'
import { CHOSEN_TOPICS, type ChosenTopic } from '../domain/mail.js'
import {
  invalid,
  withGuess,
  listSetting,
  means,
  textual,
  type AdapterRules,
  type Reader,
  type Reading,
} from './reader.js'

/** How email is delivered. The SMTP server URL may contain the password, so it must not be displayed. */
export type MailDelivery =
  | { readonly kind: 'smtp'; readonly url: string }
  /** A folder that gets a file for each mail. */
  | { readonly kind: 'file'; readonly folder: string }

export const DEVELOPMENT_OUTBOX: MailDelivery = { kind: 'file', folder: './data/outbox' }

/** The string may contain a password, so error messages must not contain any part of it. */
export const mailUrl: Reader<MailDelivery> = withGuess(textual(deliveryOf), (text) =>
  /^(?:file|[./])/i.test(text) ? DEVELOPMENT_OUTBOX : { kind: 'smtp', url: '' },
)

function deliveryOf(text: string, rules: AdapterRules): Reading<MailDelivery> {
  if (/^smtps?:/i.test(text)) return smtpUrl(text, rules)
  const folder = /^file:(.+)$/s.exec(text)?.[1] ?? ''
  if (folder === '') return invalid('must be smtp://…, smtps://… or file:FOLDER')
  if (folder.startsWith('//') || /\p{Cc}/u.test(folder))
    return invalid(
      'must have a plain path after the colon, such as file:./data/outbox or file:/var/spool/kennel',
    )
  return means({ kind: 'file', folder })
}

function smtpUrl(text: string, { smtpUrlError }: AdapterRules): Reading<MailDelivery> {
  const rule = smtpUrlError(text)
  return rule === undefined ? means({ kind: 'smtp', url: text }) : invalid(rule)
}

/** The sender of all email: `no-reply@kennel.example`, or `Kennel <no-reply@kennel.example>`. */
export const sender: Reader<string> = textual((text, { isSender }) =>
  isSender(text)
    ? means(text)
    : invalid('must be an address, or a name and an address: Kennel <no-reply@kennel.example>'),
)

/** The URL of a page of the application; password reset emails append a fragment to it. */
export const resetUrl: Reader<string> = textual((text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const fits = url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
  return fits && !text.includes('#') && !/\s/.test(text)
    ? means(url.href)
    : invalid('must be the http or https URL of a page, without a user name and without #')
})

export const emailDomains: Reader<readonly string[], readonly string[]> = listSetting(domainsOf)

/** Rejects entries such as `*.kennel.example` or a URL: they would match no email. */
const HOST_NAME = /^[\w-]+(?:\.[\w-]+)*$/

function domainsOf(entries: readonly string[]): Reading<readonly string[]> {
  const domains = entries.map((entry) => canonicalEmail(`a@${entry.trim()}`)?.slice(2))
  const wrong = domains.findIndex((domain) => domain === undefined || !HOST_NAME.test(domain))
  if (wrong >= 0) return invalid(`entry ${wrong + 1} must be an email domain, such as kennel.example`)
  return means([...new Set(domains.flatMap((domain) => domain ?? []))])
}

/** `off`, or a list of topics; in a string, the topics are separated by commas. */
export const notices: Reader<readonly ChosenTopic[], readonly ChosenTopic[]> = listSetting(topics, {
  text: (text) => (text === 'off' ? means([]) : topics(text.split(',').map((one) => one.trim()))),
})

function topics(words: readonly string[]): Reading<readonly ChosenTopic[]> {
  const known = CHOSEN_TOPICS.filter((topic) => words.includes(topic))
  return known.length === words.length
    ? means(known)
    : invalid(`must be off, or one or more of ${CHOSEN_TOPICS.join(', ')}, without duplicates`)
}
