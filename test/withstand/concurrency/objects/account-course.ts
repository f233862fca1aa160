import { OPERATOR } from '../../../../src/domain/access/caller.js'
import type { Begin } from '../course.js'
import { freshAccount } from '../identity.js'
import { accountSpecification, type Input, type Output, type State } from './account.js'
import { createAccountClient, type AccountStep } from './account-client.js'

/** One account that logs in, changes its password, and is changed by the operator meanwhile. */
export const beginAccount: Begin<State, Input, Output> = async (parts) => {
  const { place, random } = parts
  const { useCases } = place.kennel
  const email = await freshAccount(place)
  const client = createAccountClient(parts, email)
  const caller = OPERATOR
  const operator = (input: Input, work: () => Promise<unknown>): AccountStep => ({
    input,
    run: async () => {
      await work()
      return { status: 200 }
    },
  })
  const set = (): AccountStep => {
    const next = client.nextPassword()
    const password = client.passwordOf(next)
    return operator({ kind: 'operator sets', next }, async () => {
      await useCases.setPassword({ caller, email, password })
      client.wasSet(next)
    })
  }
  const acts: Readonly<Record<string, (client: number) => AccountStep>> = {
    ...{ login: client.login, basic: client.basic, identity: client.getIdentity },
    ...{ change: client.changePassword, set },
    revoke: () => operator({ kind: 'operator revokes' }, () => useCases.revokeSessions({ caller, email })),
    disable: () => operator({ kind: 'operator disables' }, () => useCases.disableUser({ caller, email })),
    enable: () => operator({ kind: 'operator enables' }, () => useCases.enableUser({ caller, email })),
  }
  const draws = [
    ...['login', 'login', 'login', 'login', 'login', 'login', 'basic', 'basic', 'basic', 'basic'],
    ...['identity', 'identity', 'identity', 'identity', 'identity', 'identity', 'identity', 'identity'],
    ...['change', 'change', 'set', 'revoke', 'disable', 'enable', 'enable'],
  ]
  return {
    specification: accountSpecification,
    next: (number) => (acts[random.pick(draws)] as (client: number) => AccountStep)(number),
  }
}
