import type { Credentials, Infrastructure } from '../../src/application/infrastructure.js'
import type { SecretSeal } from '../../src/ports/secret-seal.js'
import type { TokenFormat } from '../../src/ports/token-format.js'

/** Gives a name that no other call gets; it begins with the number of the operation that asks. */
export type Draw = () => string

/** The number of the operation that has drawn the name. */
export const ownerOf = (name: string) => name.slice(0, name.indexOf('.'))

/** Tokens that anyone could forge, which no client of the simulator does. */
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

export const seal: SecretSeal = {
  seal: (secret) => Promise.resolve(`sealed ${secret}` as never),
  open: (sealed) => Promise.resolve({ secret: sealed.slice('sealed '.length) as never, isCurrent: true }),
}

const STEP = 30_000
export const stepAt = (time: number) => Math.floor(time / STEP)

/** Two digits of the operation that has made the secret, and four of the step. */
export const codeAt = (secret: string, step: number) =>
  `${ownerOf(secret).padStart(2, '0')}${String(step % 10_000).padStart(4, '0')}`

/** A recovery code has no digits, so these letters encode digits. */
const LETTERS = 'ABCDEFGHIJ'

/** The number of the operation that has made the recovery code. */
export const makerOf = (recoveryCode: string) =>
  recoveryCode.replace(/Z.*/, '').replace(/./g, (letter) => String(LETTERS.indexOf(letter)))

/** Readable, collision-free digests. */
const digest = (text: string) => `#${text}` as never

/** The parts that make names, secrets and digests. */
export function madeUp(draw: Draw) {
  // The store knows such texts only by their digests.
  const texts = { fresh: () => draw() as never, digest }
  return {
    randomness: { base64url: draw, uuid: draw },
    secretSeal: seal,
    apiKeySecrets: texts,
    proofSecrets: { ...texts, freshCode: draw },
    digest: () => {
      const texts: string[] = []
      return { update: (text) => void texts.push(text), end: () => digest(texts.join('|')) }
    },
    // A key is the number of its login and its generation, such as `7:2`, if it was made from the right key before it.
    sessionKeys: {
      fresh: () => `${ownerOf(draw())}:1` as never,
      digest,
      successor: (_, previous, session, generation) => {
        const login = ownerOf(session)
        const isRight = previous === `${login}:${generation - 1}`
        return (isRight ? `${login}:${generation}` : `${previous}/${session}/${generation}`) as never
      },
    },
    // Hashes that cost nothing. The salt makes each of them different.
    hasher: {
      hash: (password) => Promise.resolve(`${password}#${draw()}` as never),
      verify: (password, hash) => Promise.resolve(hash?.startsWith(`${String(password)}#`) === true),
      isOutdated: () => false,
      recognise: () => ({ kind: 'unknown' }),
    },
    oneTimeCodes: {
      freshSecret: texts.fresh,
      freshRecoveryCode: () => {
        const letters = draw().replace(/[0-9]/g, (digit) => LETTERS[+digit] ?? '')
        return letters.replace('.', 'Z').padEnd(16, 'Q') as never
      },
      enrolment: () => ({ uri: '', qrCode: '' }),
      stepOf: (secret, code, at) => {
        const now = stepAt(at)
        return [now, now - 1, now + 1].find((step) => codeAt(secret, step) === code) as never
      },
    },
  } satisfies Partial<Infrastructure & Credentials>
}
