import { isPlainText } from '../../domain/text.js'
import { isDeliverable } from './recipient.js'

export type Sender = { readonly name: string; readonly address: string }

const WITH_NAME = /^(?:"([^"]*)"\s*|([^"<>]*))<([^<>\s]+)>$/u

/** Parses `no-reply@example.org` or `Example <no-reply@example.org>`; `undefined` for other texts. */
export function parseSender(text: string): Sender | undefined {
  const [, quoted, bare, inBrackets] = WITH_NAME.exec(text.trim()) ?? []
  const address = inBrackets ?? text.trim()
  const name = quoted ?? bare?.trim() ?? ''
  return isDeliverable(address) && isPlainText(name) ? { name, address } : undefined
}
