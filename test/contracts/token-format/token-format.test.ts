import { tokenFormatLaws } from '../../../src/contracts/index.js'
import type { TokenKind } from '../../../src/domain/identity/claims.js'
import type { JsonObject } from '../../../src/domain/identity/json-object.js'
import type { PublicKey, TokenFormat } from '../../../src/ports/tokens.js'
import { BENCHES } from '../../support/tokens/benches.js'
import { eddsaBench } from '../../support/tokens/forged-jwt.js'
import { ringOf } from '../../support/tokens/token-bench.js'
import { PlantedError, describePartLaws, type BrokenPart } from '../describe-laws.js'

type Opening = () => Promise<TokenFormat>
type Change = (sound: TokenFormat) => Partial<TokenFormat>

const formatOf =
  (bench: (typeof BENCHES)[number]): Opening =>
  () =>
    bench.openFormat(ringOf(bench))

const changed = (name: string, breaks: RegExp, change: Change): BrokenPart<Opening> => ({
  name,
  breaks,
  open: () => async () => {
    const sound = await formatOf(eddsaBench)()
    return { ...sound, ...change(sound) }
  },
})

const payloadOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as JsonObject

/** Returns the header of a token if it can be parsed. */
function headerOf(token: string): JsonObject {
  try {
    return JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as JsonObject
  } catch {
    return {}
  }
}

const broken: readonly BrokenPart<Opening>[] = [
  changed('claims are stored only in one process', /every process that/, (sound) => {
    const kept = new Map<string, JsonObject>()
    return {
      async seal(kind, claims, kid) {
        const token = await sound.seal(kind, claims, kid)
        if (token !== undefined) kept.set(token, claims)
        return token
      },
      async open(_kind, token) {
        const claims = kept.get(token)
        if (!claims) throw new PlantedError('not known here')
        return claims
      },
    }
  }),
  changed('tokens contain a counter', /the same claim/, (sound) => {
    let count = 0
    return { seal: (kind, claims, kid) => sound.seal(kind, { ...claims, count: (count += 1) }, kid) }
  }),
  changed('tokens are cached by account', /different claims/, (sound) => {
    const known = new Map<unknown, string | undefined>()
    return {
      async seal(kind, claims, kid) {
        if (!known.has(claims['sub'])) known.set(claims['sub'], await sound.seal(kind, claims, kid))
        return known.get(claims['sub'])
      },
    }
  }),
  changed('an expired token is rejected', /a token can/, (sound) => ({
    async open(kind, token) {
      const claims = await sound.open(kind, token)
      if (Number(claims['exp']) < 1_000_000_000) throw new PlantedError('expired')
      return claims
    },
  })),
  changed('a removed key throws', /a key that/, (sound) => ({
    async seal(kind, claims, kid) {
      if (kid !== sound.currentKid) throw new PlantedError('no such key')
      return await sound.seal(kind, claims, kid)
    },
  })),
  changed('the kind is ignored', /access token is/, (sound) => ({
    open: async (kind, token) =>
      await sound.open(kind, token).catch(() => sound.open(otherThan(kind), token)),
  })),
  changed('unused bits of the signature are ignored', /any changed/, (sound) => ({
    open: (kind, token) => sound.open(kind, token.split('.').map(canonical).join('.')),
  })),
  changed('the signature of any token is accepted', /a truncated,/, (sound) => {
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
  changed('alg none needs no signature', /different algorithm/, (sound) => ({
    open: async (kind, token) =>
      String(headerOf(token)['alg']).toLowerCase() === 'none'
        ? payloadOf(token)
        : await sound.open(kind, token),
  })),
  changed('a text without dots throws synchronously', /text that is not/, (sound) => ({
    open(kind, token) {
      if (!token.includes('.')) throw new PlantedError('no dots')
      return sound.open(kind, token)
    },
  })),
  changed('the log contains the token', /the reason for/, (sound) => ({
    async open(kind, token) {
      return await sound.open(kind, token).catch(() => Promise.reject(new PlantedError(`refused: ${token}`)))
    },
    describe: (error) => (error instanceof Error ? error.message : 'no error'),
  })),
  changed('the private part of a key is shown', /the public/, (sound) => ({
    publicKeys: sound.publicKeys.map((key) => ({ ...key, d: key.x }) as PublicKey),
  })),
]

function otherThan(kind: TokenKind): TokenKind {
  return kind === 'access' ? 'refresh' : 'access'
}

function canonical(part: string): string {
  return Buffer.from(part, 'base64url').toString('base64url')
}

describePartLaws('token format', {
  laws: tokenFormatLaws,
  sound: Object.fromEntries(BENCHES.map((bench) => [`the format of ${bench.name}`, () => formatOf(bench)])),
  broken,
})
