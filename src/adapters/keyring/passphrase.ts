import { characters } from '../../domain/text.js'
import type { Randomness } from '../../ports/randomness.js'
import { isMostlyWords, isOneBlockRepeated } from './guessable.js'

/** From this many characters on a passphrase is strong enough everywhere. */
const STRONG_LENGTH = 32
/** The least outside production. */
const WEAK_LENGTH = 16

/** Fewer make a passphrase of any length a short one. */
const DIFFERENT_LEAST = 12

const HEX_ONLY = /^(0x)?[0-9a-f]*$/iu

const CLASSES = [
  { rule: 'must contain a lower-case letter', pattern: /\p{Ll}/u },
  { rule: 'must contain an upper-case letter', pattern: /\p{Lu}/u },
  { rule: 'must contain a digit', pattern: /\p{Nd}/u },
  { rule: 'must contain a symbol', pattern: /[\p{P}\p{S}]/u },
] as const

/**
 * Telltale parts of values that documentation prints and people paste, as letters and digits
 * in lower case. All are so long that a random value does not hold one by chance.
 */
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

/** Where a passphrase is used. */
type PassphraseUse = {
  readonly production: boolean
  /** Name of the site's host, where it is known: an attacker begins with it. */
  readonly host?: string | undefined
}

/**
 * The first rule that a passphrase breaks, as the end of a sentence about it; `undefined` for a
 * good one. It never holds any part of the value.
 */
export function passphraseError(text: string, { production, host = '' }: PassphraseUse): string | undefined {
  const least = production ? STRONG_LENGTH : WEAK_LENGTH
  if (characters(text) < least) return `must have at least ${least} characters`
  if (HEX_ONLY.test(text)) return 'must not consist of hexadecimal digits only'
  const missing = CLASSES.find((one) => !one.pattern.test(text))
  if (missing !== undefined) return missing.rule
  if (new Set(text).size < DIFFERENT_LEAST)
    return `must have at least ${DIFFERENT_LEAST} different characters`
  if (isOneBlockRepeated(text)) return 'must not be one block of characters repeated'
  if (isExample(text)) return 'must not be a known example value'
  return isMostlyWords(text, host) ? 'must not consist mostly of common words and names' : undefined
}

/** A warning for a passphrase that passes, but only because this is not production. */
export function passphraseWarning(text: string): string | undefined {
  if (passphraseError(text, { production: false }) !== undefined) return undefined
  if (characters(text) >= STRONG_LENGTH) return undefined
  return `has fewer than ${STRONG_LENGTH} characters and would be refused in production`
}

/** A new passphrase of 51 characters with 256 random bits, which passes the check everywhere. */
export function generatePassphrase(randomness: Randomness): string {
  // The fixed part holds one of each class, so that no draw has to be thrown away; that a draw breaks another
  // rule is less likely than that it is guessed.
  return `Kennel1-${randomness.base64url(32)}`
}

function isExample(text: string): boolean {
  const plain = text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
  return EXAMPLES.some((example) => plain.includes(example))
}
