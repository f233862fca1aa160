import type { JsonObject } from '../../domain/identity/json-object.js'
import type { TokenFormat } from '../../ports/tokens.js'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Returns similar characters, which differ in the lowest bit, in letter case, or between base64url and standard base64. */
export function neighboursOf(character: string): readonly string[] {
  const place = ALPHABET.indexOf(character)
  if (place < 0) return ['A', ' ']
  const twin = character === '-' ? '+' : character === '_' ? '/' : swapCase(character)
  return [...new Set([ALPHABET[place ^ 1] ?? '', twin])].filter((one) => one !== character)
}

function swapCase(character: string): string {
  const lower = character.toLowerCase()
  return lower === character ? character.toUpperCase() : lower
}

/** For each part in which the tokens differ, returns the first token with this part taken from the second token. */
export function mixturesOf(token: string, other: string): readonly string[] {
  const [parts, others] = [token.split('.'), other.split('.')]
  const mixed = parts.map((_, index) => parts.toSpliced(index, 1, others[index] ?? '').join('.'))
  return mixed.filter((text) => text !== token && text !== other)
}

/**
 * Returns JWTs that contain these claims and that an attacker can create without a secret: unsigned, or signed with public key material.
 */
export async function forgeriesOf(format: TokenFormat, token: string, claims: JsonObject) {
  const payload = encode(claims)
  const [head = '', , signature = ''] = token.split('.')
  const kid = format.currentKid
  const tops = ['none', 'None', 'HS256', 'HS512', 'EdDSA', 'ES256'].map((alg) => ({
    alg,
    typ: 'at+jwt',
    kid,
  }))
  const unsigned = tops.flatMap((top) =>
    ['', 'AA', signature].map((end) => `${encode(top)}.${payload}.${end}`),
  )
  const confused = await Promise.all(
    format.publicKeys.flatMap(({ x }) =>
      tops.flatMap((top) =>
        [Buffer.from(x, 'base64url'), Buffer.from(x)].map(async (secret) => {
          const text = `${encode(top)}.${payload}`
          return `${text}.${await hmac(secret, text)}`
        }),
      ),
    ),
  )
  return [...unsigned, ...confused, `${head}.${payload}.`].filter((text) => text !== token)
}

function encode(value: JsonObject): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

async function hmac(secret: Uint8Array<ArrayBuffer>, text: string): Promise<string> {
  const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-512' }, false, ['sign'])
  return Buffer.from(await crypto.subtle.sign('HMAC', key, Buffer.from(text))).toString('base64url')
}
