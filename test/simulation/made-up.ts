import type { Credentials, Infrastructure } from '../../src/application/shared-parts.js'
import type { PasskeyId } from '../../src/domain/identity/passkey.js'
import type { PasskeyVerifier } from '../../src/ports/passkeys.js'
import type { SecretSeal } from '../../src/ports/second-factors.js'
import type { TokenFormat } from '../../src/ports/tokens.js'

/** Returns a unique name that begins with the number of the requesting operation. */
export type Draw = () => string

/** Returns the number of the operation that requested the name. */
export const ownerOf = (name: string) => name.slice(0, name.indexOf('.'))

/** Tokens that anyone could forge, although no client of the simulator does so. */
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

/** The code: two digits for the operation that created the secret, and four digits for the time step. */
export const codeAt = (secret: string, step: number) =>
  `${ownerOf(secret).padStart(2, '0')}${String(step % 10_000).padStart(4, '0')}`

/** A recovery code contains no digits, so these letters stand for the digits. */
const LETTERS = 'ABCDEFGHIJ'

/** Returns the number of the operation that issued the challenge. */
export const issuerOf = (challenge: string) =>
  ownerOf(Buffer.from(challenge, 'base64url').toString().split(' ')[2] ?? '')

/** Returns the number of the operation that created the recovery code. */
export const makerOf = (recoveryCode: string) =>
  recoveryCode.replace(/Z.*/, '').replace(/./g, (letter) => String(LETTERS.indexOf(letter)))

/** Creates readable digests without collisions. */
const digest = (text: string) => `#${text}` as never

/** Responses without signatures: the client data is the challenge, and the authenticator data is the counter. */
const passkeyVerifier: PasskeyVerifier = {
  creationOptions: ({ challenge }) => ({ challenge }),
  requestOptions: ({ challenge }) => ({ challenge }),
  read: (response) => {
    const { id, response: signed } = response as unknown as SimulatedResponse
    return { id, challenge: signed.clientDataJSON }
  },
  verifyRegistration: (response) => {
    const { id, response: signed } = response as unknown as SimulatedResponse
    const state = { counter: Number(signed.authenticatorData), synced: false, backedUp: false }
    return Promise.resolve({
      kind: 'verified',
      passkey: { id, publicKey: id as never, transports: [], ...state },
    })
  },
  verifyAssertion: (response, _, passkey) => {
    const { response: signed } = response as unknown as SimulatedResponse
    const counter = Number(signed.authenticatorData)
    return Promise.resolve(
      passkey ? { kind: 'verified', counter, backedUp: false } : { kind: 'refused', reason: 'unknown' },
    )
  },
}

type SimulatedResponse = {
  readonly id: PasskeyId
  readonly response: Readonly<Record<'clientDataJSON' | 'authenticatorData', string>>
}

/** Creates the parts that generate names, secrets and digests. */
export function madeUp(draw: Draw) {
  // Creates secrets. The store contains only their digests.
  const texts = { fresh: () => draw() as never, digest }
  return {
    randomness: { base64url: draw, uuid: draw },
    secretSeal: seal,
    passkeyVerifier,
    apiKeySecrets: texts,
    proofSecrets: { ...texts, freshCode: draw },
    digest: () => {
      const texts: string[] = []
      return { update: (text) => void texts.push(text), end: () => digest(texts.join('|')) }
    },
    // A key derived from the correct previous key consists of login number and generation, such as `7:2`.
    sessionKeys: {
      fresh: () => `${ownerOf(draw())}:1` as never,
      digest,
      successor: (_, previous, session, generation) => {
        const login = ownerOf(session)
        const isRight = previous === `${login}:${generation - 1}`
        return (isRight ? `${login}:${generation}` : `${previous}/${session}/${generation}`) as never
      },
    },
    // Creates hashes that cost nothing to compute. The salt makes each hash different.
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
