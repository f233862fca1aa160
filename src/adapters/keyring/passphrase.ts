import { characters } from '../../domain/text.js'
import type { Randomness } from '../../ports/randomness.js'
import { isMostlyWords, isOneBlockRepeated } from './guessable.js'

/** The minimum length in production. */
const STRONG_LENGTH = 32
/** The minimum length outside production. */
const WEAK_LENGTH = 16

/** The minimum number of different characters in a passphrase. */
const DIFFERENT_LEAST = 12

const HEX_ONLY = /^(0x)?[0-9a-f]*$/iu

const CLASSES = [
  { rule: 'must contain a lower-case letter', pattern: /\p{Ll}/u },
  { rule: 'must contain an upper-case letter', pattern: /\p{Lu}/u },
  { rule: 'must contain a digit', pattern: /\p{Nd}/u },
  { rule: 'must contain a symbol', pattern: /[\p{P}\p{S}]/u },
] as const

/**
 * Parts of example values that people copy from documentation, reduced to lower-case letters and digits. A
 * random value contains none of them by chance.
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

type PassphraseUse = {
  readonly production: boolean
  /** The host name of the site, if known: attackers try it first. */
  readonly host?: string | undefined
}

/**
 * The first broken rule as the end of a sentence about the passphrase, without any part of its value;
 * `undefined` for a strong passphrase.
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

/** A warning for a passphrase that only passes outside production. */
export function passphraseWarning(text: string): string | undefined {
  if (passphraseError(text, { production: false }) !== undefined) return undefined
  if (characters(text) >= STRONG_LENGTH) return undefined
  return `has fewer than ${STRONG_LENGTH} characters and would be refused in production`
}

/** A new passphrase of 51 characters with 256 random bits, which passes the check everywhere. */
export function generatePassphrase(randomness: Randomness): string {
  // The fixed part has one character of each class, so every draw passes.
  return `Kennel1-${randomness.base64url(32)}`
}

function isExample(text: string): boolean {
  const plain = text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
  return EXAMPLES.some((example) => plain.includes(example))
}
