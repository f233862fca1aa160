import type { OperatorUseCases } from '../../src/application/wiring.js'
import { OPERATOR } from '../../src/domain/access/caller.js'
import type { Store } from '../../src/ports/store.js'

type Place = { readonly useCases: OperatorUseCases; readonly store: Store }

/** Creates an account with these roles, and creates missing roles; returns the account's ID. */
export async function makeAccount(
  place: Place,
  { email, password }: { readonly email: string; readonly password: string },
  roles: readonly string[],
): Promise<number> {
  const { useCases } = place
  await makeRoles(place, roles)
  const id = await useCases.createUser({ caller: OPERATOR, email, password })
  for (const role of roles) await useCases.assignRole({ caller: OPERATOR, email, role })
  return id
}

export async function makeApiKey(place: Place, roles: readonly string[]): Promise<string> {
  await makeRoles(place, roles)
  return (await place.useCases.createApiKey({ caller: OPERATOR, name: 'test key', roles })).key
}

async function makeRoles({ useCases, store }: Place, roles: readonly string[]): Promise<void> {
  const known = new Set((await store.roles.list()).map(({ key }) => String(key)))
  for (const key of roles) {
    if (!known.has(key)) await useCases.createRole({ caller: OPERATOR, key, label: `Label of ${key}` })
  }
}
