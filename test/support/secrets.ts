/**
 * The kind of a secret, which is enough to find the place that leaks the secret, and is safe to show. A `User-Agent` is not a secret but
 * text that a client chose, which must never appear unchanged.
 */
export type SecretKind =
  | 'User-Agent'
  | 'password'
  | 'passphrase'
  | 'session cookie'
  | 'access token'
  | 'refresh token'
  | 'reset token'
  | 'email proof'
  | 'API key'
  | 'factor secret'
  | 'recovery code'
  | 'one-time code'
  | 'Basic header'

export type Secrets = ReturnType<typeof createSecrets>

/** Searches for the end of a secret, because a token ends with its signature, but all tokens begin with the same text. */
const NEEDLE_MAX = 16
/**
 * The search does not look for the first 12 characters of a secret that is shorter than 20, because they are more than 60 %
 * of the secret.
 */
const PREFIX = 12
const LONG = 20
const NEEDLE_MIN = 8
const COMMON = /^(?:[a-z]{1,15}|\s*)$/

export function createSecrets() {
  const needles = new Map<string, Map<string, SecretKind>>()
  const marks = new Uint8Array(2 ** 16)
  const known = new Set<string>()
  const add = (kind: SecretKind, needle: string) => {
    const beginning = needle.slice(0, NEEDLE_MIN)
    const alike = needles.get(beginning) ?? new Map<string, SecretKind>()
    marks[markOf(needle, 0)] = 1
    needles.set(beginning, alike.set(needle, kind))
  }
  const kindAt = (text: string, at: number) => {
    const alike = needles.get(text.slice(at, at + NEEDLE_MIN)) ?? []
    for (const [needle, kind] of alike) if (text.startsWith(needle, at)) return kind
    return undefined
  }
  return {
    /** Ignores strings with fewer than 8 characters or with spaces, and single words, because they occur everywhere. */
    remember: (kind: SecretKind, secret: unknown) => {
      if (typeof secret !== 'string' || secret.length < NEEDLE_MIN || COMMON.test(secret)) return
      if (known.has(secret)) return
      known.add(secret)
      for (const form of formsOf(withoutFooter(secret))) add(kind, form.slice(-NEEDLE_MAX))
      if (secret.length >= LONG && !isToken(secret)) add(kind, secret.slice(0, PREFIX))
    },
    /**
     * Returns the kind of the first remembered secret in a text, raw or encoded. Finds a secret by its last 16 characters (without the
     * footer of a PASETO), or by its first 12 characters if it has at least 20 and is not a token.
     */
    foundIn: (text: string) => {
      for (let at = 0; at <= text.length - NEEDLE_MIN; at += 1) {
        const kind = marks[markOf(text, at)] === 1 ? kindAt(text, at) : undefined
        if (kind !== undefined) return kind
      }
      return undefined
    },
  }
}

/** Returns the secret itself, the secret escaped for JSON and for a URL, and its bytes in the usual encodings. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const base64 = bytes.toString('base64').replace(/=+$/, '')
  const escaped = [JSON.stringify(secret).slice(1, -1), encodeURIComponent(bytes.toString())]
  return [secret, ...escaped, base64, bytes.toString('base64url'), bytes.toString('hex')]
}

/** All tokens in a format begin with the same public header. */
function isToken(secret: string): boolean {
  return secret.startsWith('eyJ') || secret.startsWith('v4.public.')
}

/** The footer of a PASETO contains the key ID, which is the same in all tokens. */
function withoutFooter(secret: string): string {
  return secret.startsWith('v4.public.') ? secret.split('.', 3).join('.') : secret
}

/** Hashes the first characters, so that most positions in a string can be skipped without a lookup. */
function markOf(text: string, at: number): number {
  const first = text.charCodeAt(at) * 33 + text.charCodeAt(at + 1)
  return (first * 1089 + text.charCodeAt(at + 2) * 33 + text.charCodeAt(at + 3)) & 0xff_ff
}
