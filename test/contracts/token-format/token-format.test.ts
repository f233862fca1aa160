import { createHmac } from 'node:crypto'
import { tokenFormatLaws } from '../../../src/contracts/index.js'
import type { TokenKind } from '../../../src/domain/identity/claims.js'
import type { JsonObject } from '../../../src/domain/identity/json-object.js'
import type { PublicKey, TokenFormat } from '../../../src/ports/token-format.js'
import { BENCHES } from '../../support/tokens/benches.js'
import { eddsaBench, hs512Bench } from '../../support/tokens/forged-jwt.js'
import { ringOf } from '../../support/tokens/token-bench.js'
import { describePartLaws, PartFailure, type BrokenPart } from '../describe-part-laws.js'

type Opening = () => Promise<TokenFormat>
type Change = (sound: TokenFormat) => Partial<TokenFormat>

const OPENED = 'what was sealed is opened as it was, of both kinds, by every process with the key'
const SAME = 'the same claim set and key give the same text, in every process, also at once'
const ANOTHER = 'another claim set gives another text'
const TIMES = 'a token is opened whatever the times in it are'
const NO_KEY = 'a key that is not in the ring seals nothing'
const OTHER_KIND = 'a token of the other kind is refused'
const CHANGED = 'a token with any one character changed is refused'
const CUT = 'a token that was cut, extended or put together from two is refused'
const ALGORITHM = 'a token of another algorithm, or without a signature, is refused'
const NO_TOKEN = 'a text that is no token is refused'
const WORDS = 'why a token was refused is told in a few words, of which none is from the token'
const PUBLIC = 'the public keys begin with the current one, have names of their own, and show no secret'

const formatOf =
  (bench: (typeof BENCHES)[number]): Opening =>
  () =>
    bench.openFormat(ringOf(bench))

/** The EdDSA format with other functions in some places. */
const changed = (name: string, breaks: readonly string[], change: Change): BrokenPart<Opening> => ({
  name,
  breaks,
  open: () => async () => {
    const sound = await formatOf(eddsaBench)()
    return { ...sound, ...change(sound) }
  },
})

const payloadOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as JsonObject

/** The header of a token, as far as it can be read. */
function headerOf(token: string): JsonObject {
  try {
    return JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as JsonObject
  } catch {
    return {}
  }
}

const broken: readonly BrokenPart<Opening>[] = [
  changed('claims are kept in one process', [OPENED], (sound) => {
    const kept = new Map<string, JsonObject>()
    return {
      async seal(kind, claims, kid) {
        const token = await sound.seal(kind, claims, kid)
        if (token !== undefined) kept.set(token, claims)
        return token
      },
      async open(_kind, token) {
        const claims = kept.get(token)
        if (!claims) throw new PartFailure('not known here')
        return claims
      },
    }
  }),
  changed('tokens sealed at once are counted', [SAME], (sound) => {
    let count = 0
    return { seal: (kind, claims, kid) => sound.seal(kind, { ...claims, count: (count += 1) }, kid) }
  }),
  changed('a token is remembered by its account', [ANOTHER], (sound) => {
    const known = new Map<unknown, string | undefined>()
    return {
      async seal(kind, claims, kid) {
        if (!known.has(claims['sub'])) known.set(claims['sub'], await sound.seal(kind, claims, kid))
        return known.get(claims['sub'])
      },
    }
  }),
  changed('an expired token is refused', [TIMES], (sound) => ({
    async open(kind, token) {
      const claims = await sound.open(kind, token)
      if (Number(claims['exp']) < 1_000_000_000) throw new PartFailure('expired')
      return claims
    },
  })),
  changed('a key that is gone throws', [NO_KEY], (sound) => ({
    async seal(kind, claims, kid) {
      if (kid !== sound.currentKid) throw new PartFailure('no such key')
      return await sound.seal(kind, claims, kid)
    },
  })),
  changed('the kind is not looked at', [OTHER_KIND], (sound) => ({
    open: async (kind, token) =>
      await sound.open(kind, token).catch(() => sound.open(otherThan(kind), token)),
  })),
  changed('spare bits of the signature are not looked at', [CHANGED], (sound) => ({
    open: (kind, token) => sound.open(kind, token.split('.').map(canonical).join('.')),
  })),
  changed('the signature is that of any token', [CUT], (sound) => {
    const good = new Set<string>()
    return {
      async open(kind, token) {
        const [, , signature = ''] = token.split('.')
        if (good.has(signature)) return payloadOf(token)
        const claims = await sound.open(kind, token)
        good.add(signature)
        return claims
      },
      seal: async (kind, claims, kid) => {
        const token = await (await formatOf(eddsaBench)()).seal(kind, claims, kid)
        good.add(token?.split('.')[2] ?? '')
        return token
      },
    }
  }),
  changed('alg none needs no signature', [ALGORITHM], (sound) => ({
    open: async (kind, token) =>
      String(headerOf(token)['alg']).toLowerCase() === 'none'
        ? payloadOf(token)
        : await sound.open(kind, token),
  })),
  changed('the token chooses how it is verified', [ALGORITHM], (sound) => ({
    async open(kind, token) {
      const end = token.lastIndexOf('.')
      const secret = Buffer.from(sound.publicKeys[0]?.x ?? '', 'base64url')
      const tag = createHmac('sha512', secret).update(token.slice(0, end)).digest('base64url')
      const isConfused = headerOf(token)['alg'] === 'HS512' && token.slice(end + 1) === tag
      return isConfused ? payloadOf(token) : await sound.open(kind, token)
    },
  })),
  changed('a text without dots throws at once', [NO_TOKEN], (sound) => ({
    open(kind, token) {
      if (!token.includes('.')) throw new PartFailure('no dots')
      return sound.open(kind, token)
    },
  })),
  changed('the log gets the token', [WORDS], (sound) => ({
    async open(kind, token) {
      return await sound.open(kind, token).catch(() => Promise.reject(new PartFailure(`refused: ${token}`)))
    },
    describe: (error) => (error instanceof Error ? error.message : 'no error'),
  })),
  changed('the private part of a key is shown', [PUBLIC], (sound) => ({
    publicKeys: sound.publicKeys.map((key) => ({ ...key, d: key.x }) as PublicKey),
  })),
  {
    name: 'the secret of HS512 is called public',
    breaks: [PUBLIC],
    open: () => async () => {
      const sound = await formatOf(hs512Bench)()
      const x = Buffer.from(hs512Bench.key.secret).toString('base64url')
      const key: PublicKey = { kty: 'OKP', crv: 'Ed25519', use: 'sig', kid: sound.currentKid, x }
      return { ...sound, publicKeys: [key] }
    },
  },
]

function otherThan(kind: TokenKind): TokenKind {
  return kind === 'access' ? 'refresh' : 'access'
}

function canonical(part: string): string {
  return Buffer.from(part, 'base64url').toString('base64url')
}

describePartLaws('token format', {
  laws: tokenFormatLaws,
  sound: {
    ...Object.fromEntries(BENCHES.map((bench) => [`the format of ${bench.name}`, () => formatOf(bench)])),
    'one that explains itself in the words of programs': () => async () => ({
      ...(await formatOf(eddsaBench)()),
      describe: () => 'TypeError: Cannot read properties of undefined',
    }),
  },
  broken,
})
