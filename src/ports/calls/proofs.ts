import type { Passkey } from '../../domain/identity/passkey.js'
import type { Proof } from '../../domain/identity/proof.js'
import type { SecondFactor } from '../../domain/identity/second-factor.js'
import { answers, maybe } from './call.js'
import * as is from './shapes.js'

export const FACTOR = maybe('the second factor of this account', (answer) => {
  const { sealedSecret, recoveryLeft } = answer as SecondFactor
  return is.text(sealedSecret, 'sealedSecret') ?? is.count(recoveryLeft, 'recoveryLeft')
})

export const PASSKEY = maybe(
  'the passkey with this id, with its account and its public key',
  (answer, _, [id]) => {
    const { id: found, accountId, publicKey } = answer as Passkey
    return is.asked(id, found, 'id') ?? is.positive(accountId, 'accountId') ?? is.text(publicKey, 'publicKey')
  },
)

export const PROOF_OF_DIGEST = maybe('the proof with this digest', (answer, _, [use]) =>
  is.asked((use as Proof).digest, (answer as Proof).digest, 'digest'),
)
export const PROOF_OF_BINDING = maybe('the proof with this binding', (answer, _, [binding]) =>
  is.asked(binding, (answer as Proof).binding, 'binding'),
)
/** The argument is the ID of the proof, or an object with this ID. */
export const PROOF_OF_ID = maybe('the proof with this id', (answer, _, [named]) =>
  is.asked(typeof named === 'string' ? named : (named as Proof).id, (answer as Proof).id, 'id'),
)
export const ID_OR_SPENT = answers('the id of the account or spent', (answer, member) =>
  answer === 'spent' ? undefined : is.positive(answer, member),
)
