import { characters } from '../../domain/parsed.js'
import type { Randomness } from '../../ports/system.js'
import { isMostlyWords, isOneBlockRepeated } from './guessable.js'

/** Minimum passphrase length in production */
const STRONG_LENGTH = 32
/** Minimum passphrase length outside production */
const WEAK_LENGTH = 16

const MIN_DIFFERENT_CHARACTERS = 12

const HEX_ONLY = /^(0x)?[0-9a-f]*$/iu

const CLASSES = [
  { rule: 'must contain a lower-case letter', pattern: /\p{Ll}/u },
  { rule: 'must contain an upper-case letter', pattern: /\p{Lu}/u },
  { rule: 'must contain a digit', pattern: /\p{Nd}/u },
  { rule: 'must contain a symbol', pattern: /[\p{P}\p{S}]/u },
] as const

const EXAMPLES = [
  'changeme',
  'changethis',
  'replaceme',
  'replacethis',
  'signingsecret',
  'yoursecret',
  'yourpassphrase',
  'your256bitsecret',
  'your512bitsecret',
  'astringsecretatleast',
  'examplepassphrase',
  'examplesecret',
  'notarealsecret',
  'correcthorsebatterystaple',
  'thequickbrownfox',
  'loremipsum',
] as const

type PassphraseUse = {
  readonly production: boolean
  /** Host name of the site, if known; a passphrase based on it is rejected, because attackers try the host name first. */
  readonly host?: string | undefined
}

/**
 * Returns the first rule that the passphrase violates, or `undefined` if the passphrase is strong. The rule is text such as `must contain a
 * digit`, and never quotes the passphrase.
 */
export function passphraseError(text: string, { production, host = '' }: PassphraseUse): string | undefined {
  const minLength = production ? STRONG_LENGTH : WEAK_LENGTH
  if (characters(text) < minLength) return `must have at least ${minLength} characters`
  if (HEX_ONLY.test(text)) return 'must not consist of hexadecimal digits only'
  const missingClass = CLASSES.find((one) => !one.pattern.test(text))
  if (missingClass !== undefined) return missingClass.rule
  if (new Set(text).size < MIN_DIFFERENT_CHARACTERS)
    return `must have at least ${MIN_DIFFERENT_CHARACTERS} different characters`
  if (isOneBlockRepeated(text)) return 'must not consist of one repeated block of characters'
  if (isExample(text)) return 'must not be a known example value'
  return isMostlyWords(text, host) ? 'must not consist mostly of common words and names' : undefined
}

/** Returns a warning for a passphrase that is accepted outside production but would be rejected in production. */
export function passphraseWarning(text: string): string | undefined {
  if (passphraseError(text, { production: false }) !== undefined) return undefined
  if (characters(text) >= STRONG_LENGTH) return undefined
  return `has fewer than ${STRONG_LENGTH} characters and would be refused in production`
}

/** Returns a new passphrase of 51 characters with 256 random bits; the passphrase passes every check. */
export function generatePassphrase(randomness: Randomness): string {
  // The fixed prefix has one character of each class, so every generated passphrase passes.
  return `Kennel1-${randomness.base64url(32)}`
}

function isExample(text: string): boolean {
  const plain = text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
  return EXAMPLES.some((example) => plain.includes(example))
}
