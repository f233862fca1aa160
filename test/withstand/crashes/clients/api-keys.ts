import { PETS } from '../../../support/http/pet-calls.js'
import { createPossible } from '../journal.js'
import { notAllowed } from '../line.js'
import { inTurn, type ClientParts, type CrashClient } from './client.js'

export type GivenKey = { readonly id: number; readonly key: string }

const USES = 6

/** Uses API keys, one after the other, and has each revoked by the operator. */
export function createApiKeysClient(parts: ClientParts, keys: readonly GivenKey[]): CrashClient {
  return inTurn(keys.map((key) => createApiKeyClient(parts, key)))
}

function createApiKeyClient(
  { newLine, operator, random, journal }: ClientParts,
  { id, key }: GivenKey,
): CrashClient {
  const line = newLine()
  const isRevoked = createPossible(journal, `API key ${String(id)}`, false)
  let uses = 0

  async function use(): Promise<void> {
    uses += 1
    const call = line.client.call('GET', `${PETS}?limit=1`, { headers: { 'X-API-Key': key } })
    const reply = await line.known(call)
    if (reply?.status === 200) isRevoked.seen('use', (revoked) => !revoked)
    else if (reply?.status === 401) isRevoked.seen('use: 401', (revoked) => revoked)
    else if (reply) throw notAllowed(journal, `use of an API key: ${String(reply.status)} ${reply.text}`)
  }

  async function revoke(): Promise<void> {
    const isDone = await operator.run('apikey', 'revoke', String(id))
    if (isDone === true) isRevoked.done('revocation', () => true)
    else isRevoked.lost('revocation', () => true)
  }

  return {
    step: async () => {
      if (uses >= USES) return false
      if (isRevoked.states().includes(true) || random.below(USES) > 0) await use()
      else await revoke()
      return true
    },
    readBack: use,
  }
}
