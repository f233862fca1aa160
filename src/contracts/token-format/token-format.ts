import assert from 'node:assert/strict'
import type { TokenKind } from '../../domain/identity/claims.js'
import type { JsonObject } from '../../domain/identity/json-object.js'
import type { TokenFormat } from '../../ports/tokens.js'
import { race, statementOf, type PortLaw } from '../law.js'

const law = statementOf<'tokenFormat', () => Promise<TokenFormat>>('tokenFormat')

const KINDS: readonly TokenKind[] = ['access', 'refresh']
const ISSUED = 1_900_000_000

/** Claims with every optional claim, and with strings that a careless token format would change. */
const CLAIMS: JsonObject = {
  iss: 'https://pets.example',
  aud: 'https://pets.example/access',
  sub: '42',
  sid: 'a-session',
  jti: 'a-token',
  iat: ISSUED,
  nbf: ISSUED,
  exp: ISSUED + 900,
  email: 'zoë@pets.example',
  roles: [{ uuid: '0b6b7a52', key: 'editor', label: 'Éditeur «ß» 犬 \u{1f436} " \\ </script> \u2028' }],
  act: { sub: '7', epoch: 5, session_exp: ISSUED },
  epoch: 3,
}

/** Past, future and reversed times, because the token format does not check times. */
const ANY_TIMES: readonly JsonObject[] = [
  { iat: 1, nbf: 1, exp: 2 },
  { iat: 4_000_000_000, nbf: 4_000_000_000, exp: 4_000_000_900 },
  { iat: ISSUED, nbf: ISSUED + 9, exp: ISSUED - 9 },
]

const NO_TOKENS = [
  ...['', ' ', '.', '..', '...', 'null', '{}'],
  ...['[]', 'undefined', '\u0000', '\ud800', '犬.犬.犬', '__proto__'],
  ...['a.b.c', 'e30.e30.', 'e30.e30.e30', 'v4.public.', 'v4.public.e30.e30', 'v4.local.e30', 'v2.public.e30'],
  ...['A'.repeat(10_000), '.'.repeat(10_000), `e30.${'A'.repeat(10_000)}.AA`],
]

/**
 * Contract tests for `TokenFormat`. A check may open the format several times, always with the same key ring. No law checks that `open`
 * makes no network connection, because such a check needs a monitored network.
 */
export const tokenFormatLaws: readonly PortLaw<'tokenFormat', () => Promise<TokenFormat>>[] = [
  law('every process that has the key can open a token of either kind and gets the same claims')
    .protects('A login is accepted by every instance of the service.')
    .check(async (open) => {
      const [format, other] = [await open(), await open()]
      for (const kind of KINDS) {
        const token = await sealToken(format, kind)
        for (const one of [format, other, format]) assert.deepEqual(await one.open(kind, token), CLAIMS)
      }
    }),
  law('the same claims and key produce the same token, concurrently and in every process')
    .protects('Two tabs that refresh concurrently get the same tokens.')
    .check(async (open) => {
      const [format, other] = [await open(), await open()]
      for (const kind of KINDS) {
        const tokens = await race((caller) => sealToken(caller % 2 === 0 ? format : other, kind))
        assert.equal(new Set(tokens).size, 1)
      }
    }),
  law('different claims produce different tokens')
    .protects('A new token always differs from the token that it replaces.')
    .check(async (open) => {
      const format = await open()
      const tokens = [
        await sealToken(format, 'access'),
        await sealToken(format, 'refresh'),
        await sealToken(format, 'access', { ...CLAIMS, jti: 'another-token' }),
        await sealToken(format, 'access', { ...CLAIMS, exp: ISSUED + 901 }),
      ]
      assert.equal(new Set(tokens).size, tokens.length)
    }),
  law('a token can be opened regardless of the times in its claims')
    .protects('Token lifetimes and clock leeway are checked in one place.')
    .check(async (open) => {
      const format = await open()
      for (const times of ANY_TIMES) {
        const claims = { ...CLAIMS, ...times }
        assert.deepEqual(await format.open('access', await sealToken(format, 'access', claims)), claims)
      }
    }),
  law('a key that is not in the ring cannot seal a token')
    .protects('After a key change, every token that an instance issues can be opened.')
    .check(async (open) => {
      const format = await open()
      for (const kid of ['no-such-key', '', '__proto__', `${format.currentKid} `])
        assert.equal(await format.seal('access', CLAIMS, kid), undefined, JSON.stringify(kid))
    }),
  law('an access token is rejected as a refresh token, and vice versa')
    .protects('A refresh token is not accepted as an access token, or vice versa.')
    .check(async (open) => {
      const format = await open()
      await assertRefused(format, 'refresh', await sealToken(format, 'access'))
      await assertRefused(format, 'access', await sealToken(format, 'refresh'))
    }),
  law('a token with any changed character is rejected')
    .protects('Claims cannot be forged, and no token has a second valid form.')
    .check(async (open) => {
      const format = await open()
      const token = await sealToken(format, 'access')
      for (const [index, character] of Array.from(token).entries()) {
        for (const other of neighboursOf(character))
          await assertRefused(format, 'access', token.slice(0, index) + other + token.slice(index + 1))
      }
    }),
  law('a truncated, extended or recombined token is rejected')
    .protects('Claims cannot be forged, and no token has a second valid form.')
    .check(async (open) => {
      const format = await open()
      const token = await sealToken(format, 'access')
      const other = await sealToken(format, 'access', { ...CLAIMS, sub: '1' })
      for (let length = 0; length < token.length; length += 1) {
        await assertRefused(format, 'access', token.slice(0, length))
        await assertRefused(format, 'access', token.slice(token.length - length))
      }
      for (const end of ['=', ' ', '\n', '\u0000', '.', 'A', 'AAAA', '.e30', `.${token}`]) {
        await assertRefused(format, 'access', token + end)
        await assertRefused(format, 'access', end + token)
      }
      for (const mixed of mixturesOf(token, other)) await assertRefused(format, 'access', mixed)
    }),
  law('a token with a different algorithm, or without a signature, is rejected')
    .protects('A token cannot be forged from the public keys alone.')
    .check(async (open) => {
      const format = await open()
      const token = await sealToken(format, 'access')
      for (const forged of await forgeriesOf(format, token, CLAIMS))
        await assertRefused(format, 'access', forged)
    }),
  law('text that is not a token is rejected')
    .protects('An invalid token does not cause an internal error.')
    .check(async (open) => {
      const format = await open()
      for (const text of NO_TOKENS) for (const kind of KINDS) await assertRefused(format, kind, text)
      const opened = await format.open('access', await sealToken(format, 'access'))
      assert.deepEqual(opened, CLAIMS, 'the next token is accepted')
    }),
  law('the reason for rejecting a token is short and contains no part of the token')
    .protects('A reader of the log cannot log in.')
    .check(async (open) => {
      const format = await open()
      const token = await sealToken(format, 'access')
      const forgeries = await forgeriesOf(format, token, CLAIMS)
      for (const text of [token.slice(0, -1), `${token}A`, ...NO_TOKENS, ...forgeries]) {
        const error: unknown = await format.open('access', text).catch((reason: unknown) => reason)
        const words = format.describe(error)
        assert.match(words, /^[^\r\n]{1,200}$/)
        // Parts of up to nine characters may be common words, such as "undefined".
        for (const part of text.split('.').filter((one) => one.length > 9))
          assert.ok(!words.includes(part), words)
      }
      assert.equal(typeof format.describe(new Error('another')), 'string')
    }),
  law('the current key is first in the public keys, which have unique key IDs and reveal no secret')
    .protects('Other servers can verify tokens but cannot issue them.')
    .check(async (open) => {
      const { publicKeys, currentKid } = await open()
      if (publicKeys.length === 0) return
      const kids = publicKeys.map(({ kid }) => kid)
      assert.equal(kids[0], currentKid)
      assert.equal(new Set(kids).size, kids.length)
      for (const { x, kid: _kid, alg = 'EdDSA', ...rest } of publicKeys) {
        assert.deepEqual({ alg, ...rest }, { alg: 'EdDSA', kty: 'OKP', crv: 'Ed25519', use: 'sig' })
        assert.equal(Buffer.from(x, 'base64url').length, 32)
      }
    }),
]

async function sealToken(format: TokenFormat, kind: TokenKind, claims = CLAIMS): Promise<string> {
  return (
    (await format.seal(kind, claims, format.currentKid)) ?? assert.fail('the current key cannot seal a token')
  )
}

/** Asserts that `open` returns a promise that rejects, and does not throw synchronously. */
async function assertRefused(format: TokenFormat, kind: TokenKind, text: string): Promise<void> {
  let answer: Promise<unknown>
  try {
    answer = format.open(kind, text)
  } catch {
    assert.fail(`open throws: ${quoted(text)}`)
  }
  await assert.rejects(answer, `the token is accepted: ${quoted(text)}`)
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 400 ? `${text.slice(0, 400)}…` : text)
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/**
 * Returns the characters that differ from this character only in the lowest bit or in letter case, or that replace it in the other base64
 * alphabet.
 */
function neighboursOf(character: string): readonly string[] {
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
function mixturesOf(token: string, other: string): readonly string[] {
  const [parts, others] = [token.split('.'), other.split('.')]
  const mixed = parts.map((_, index) => parts.toSpliced(index, 1, others[index] ?? '').join('.'))
  return mixed.filter((text) => text !== token && text !== other)
}

/**
 * Returns JWTs that contain these claims and that an attacker can create without a secret: unsigned, or signed with public key material.
 */
async function forgeriesOf(format: TokenFormat, token: string, claims: JsonObject) {
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
