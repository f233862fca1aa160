import type { PasskeyLogin } from '../../src/application/identity/passkeys/passkey-login.js'
import type { Ceremony } from '../../src/domain/identity/passkey.js'
import { attempt, type Attempt } from './attempt.js'
import { about, emailOfOwner, keep, passwordOf, type Action, type Turn } from './clients.js'
import { issuerOf, ownerOf } from './made-up.js'
import { ownLogin } from './owners.js'

/** Begins a ceremony, and remembers its challenge. */
const begun = (turn: Turn, rule: 'beginPasskey' | 'beginPasskeyConfirmation') =>
  attempt(rule, ownLogin(turn, true), {
    answerOf: ({ challenge }: { readonly challenge: string }) =>
      noted(turn, rule === 'beginPasskey' ? 'registration' : 'confirmation', { challenge }),
  })

const VISITOR = { seen: {}, sent: () => ({ presented: {} }) }

const beginLogin: Action = (turn) =>
  attempt('beginPasskeyLogin', VISITOR, {
    answerOf: ({ options: { challenge }, browserSecret }: PasskeyLogin) =>
      noted(turn, 'login', { challenge: String(challenge), browserSecret }),
  })

type Noted = Omit<Turn['challenges'][number], 'ceremony' | 'client'>

function noted({ challenges, client }: Turn, ceremony: Ceremony, one: Noted) {
  challenges.push({ ceremony, client, ...one })
  return issuerOf(one.challenge)
}

/** Finishes a ceremony that has begun, usually with the newest challenge and only once; otherwise begins the ceremony. */
function finishing(
  ceremony: Ceremony,
  begin: Action,
  finish: (turn: Turn, signed: Signed) => Attempt,
): Action {
  return (turn) => {
    const { challenges, client, a } = turn
    const known = challenges.filter(
      (one) => (one.ceremony === ceremony && one.client === client) || a % 8 === 7,
    )
    const challenge = known.at(a % 8 === 6 ? -2 : -1)
    if (!challenge || a % 5 === 0) return begin(turn)
    if (a % 8 < 5) challenges.splice(challenges.indexOf(challenge), 1)
    return finish(turn, signedBy(turn, challenge, ceremony === 'registration'))
  }
}

type Signed = ReturnType<typeof signedBy>

/** Returns the response of an authenticator. The authenticator's counter usually increases. */
function signedBy(
  { counters, b, c }: Turn,
  { challenge, browserSecret }: Turn['challenges'][number],
  isNew: boolean,
) {
  const known = [...counters.keys()]
  const passkey = (isNew ? undefined : known[b % known.length]) ?? `passkey${b % 3}`
  const last = counters.get(passkey) ?? 0
  const counter = c % 4 === 3 ? last : last + 1
  if (!isNew) counters.set(passkey, counter)
  const browser = browserSecret === undefined ? {} : { browser: ownerOf(browserSecret) }
  const response = { clientDataJSON: challenge, authenticatorData: String(counter) }
  return {
    input: { challenge: issuerOf(challenge), passkey, counter, ...browser },
    credential: { id: passkey, rawId: passkey, type: 'public-key', response },
    browserSecret,
  }
}

export const addPasskey = finishing(
  'registration',
  (turn) => begun(turn, 'beginPasskey'),
  (turn, { input, credential }) =>
    attempt('addPasskey', ownLogin(turn), {
      input,
      sent: { credential },
      answerOf: () => void turn.counters.set(input.passkey, input.counter),
    }),
)

export const loginWithPasskey = finishing('login', beginLogin, (turn, { input, ...sent }) => {
  const { key } = turn.client.jar
  return attempt('loginWithPasskey', VISITOR, {
    input: { ...input, key },
    sent: { ...sent, presented: { sessionKey: key } },
    answerOf: keep(turn),
  })
})

/** Logs in with the password, and with a passkey instead of a code. */
export const loginWithBoth = finishing(
  'login',
  beginLogin,
  (turn, { input, credential: passkey, browserSecret }) => {
    const { jar, network } = turn.client
    const [password, { key }] = [passwordOf(turn), jar]
    const presented = { sessionKey: key, client: { address: network } }
    return attempt('loginWithBoth', about(emailOfOwner(turn)), {
      input: { ...input, password, key, network },
      sent: { password, passkey, browserSecret, presented },
      answerOf: keep(turn),
    })
  },
)

export const confirmByPasskey = finishing(
  'confirmation',
  (turn) => begun(turn, 'beginPasskeyConfirmation'),
  (turn, { input, credential: passkey }) =>
    attempt('confirmByPasskey', ownLogin(turn), { input, sent: { passkey }, answerOf: keep(turn) }),
)

export const removePasskey: Action = (turn) => {
  const passkey = `passkey${turn.b % 3}`
  return attempt('removePasskey', ownLogin(turn), { input: { passkey }, sent: { id: passkey } })
}
