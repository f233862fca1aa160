import type { Digest } from '../../src/ports/digest.js'
import type { SecretSeal } from '../../src/ports/secret-seal.js'
import type { SessionKeys } from '../../src/ports/session-keys.js'
import type { Randomness } from '../../src/ports/randomness.js'
import type { PasswordHasher } from '../../src/ports/password-hasher.js'
import type { TokenFormat } from '../../src/ports/token-format.js'

/** Gives a name that no other call gets; it begins with the number of the operation that asks. */
export type Draw = () => string

export function createRandomness(draw: Draw): Randomness {
  return { base64url: draw, uuid: draw }
}

/** Readable digests: no two texts have the same. */
export const digest: Digest = () => {
  const texts: string[] = []
  return { update: (text) => void texts.push(text), end: () => `#${texts.join('|')}` }
}

const digestOf = (text: string) => `#${text}` as never

/** A key is the number of its login and its generation, such as `7:2`, if it was made from the right key before it. */
export function createKeys(draw: Draw): SessionKeys {
  return {
    fresh: () => `${ownerOf(draw())}:1` as never,
    digest: digestOf,
    successor: (_, previous, session, generation) => {
      const isRight = previous === `${ownerOf(session)}:${generation - 1}`
      return (isRight ? `${ownerOf(session)}:${generation}` : `${previous}/${session}/${generation}`) as never
    },
  }
}

/** The number of the operation that has drawn the name. */
export const ownerOf = (name: string) => name.slice(0, name.indexOf('.'))

/** Tokens that everybody could forge; no client of the simulator does. */
export const format: TokenFormat = {
  currentKid: 'kid',
  publicKeys: [],
  seal: (kind, claimSet, kid) => Promise.resolve(JSON.stringify([kind, kid, claimSet])),
  open: (kind, token) => {
    const [sealed, , claimSet] = JSON.parse(token) as [string, string, never]
    return sealed === kind ? Promise.resolve(claimSet) : Promise.reject(new Error('another kind'))
  },
  describe: String,
}

/** Hashes that cost nothing. The salt makes each of them different. */
export function createHasher(draw: Draw): PasswordHasher {
  return {
    hash: (password) => Promise.resolve(`${password}#${draw()}` as never),
    verify: (password, hash) =>
      Promise.resolve(password !== undefined && hash !== undefined && hash.startsWith(`${password}#`)),
    isOutdated: () => false,
    recognise: () => ({ kind: 'unknown' }),
  }
}

/** Secrets that the store knows only by their digests. */
export const createTexts = (draw: Draw) => ({ fresh: () => draw() as never, digest: digestOf })

export const seal: SecretSeal = {
  seal: (secret) => Promise.resolve(`sealed ${secret}` as never),
  open: (sealed) => Promise.resolve({ secret: sealed.slice('sealed '.length) as never, isCurrent: true }),
}
