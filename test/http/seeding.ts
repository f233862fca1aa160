import type { Resolve } from '../../src/composition-root/container.js'
import { TOKENS } from '../../src/composition-root/tokens.js'
import { OPERATOR } from '../../src/domain/access/caller.js'
import type { Store } from '../../src/ports/store.js'

/** Where accounts, roles and keys are made. */
type Place = { readonly resolve: Resolve; readonly store: Store }

/** Makes an account with these roles (made where they are missing); gives its id. */
export async function makeAccount(
  place: Place,
  { email, password }: { readonly email: string; readonly password: string },
  roles: readonly string[],
): Promise<number> {
  const { resolve } = place
  await makeRoles(place, roles)
  const id = await resolve(TOKENS.createUser)({ caller: OPERATOR, email, password })
  for (const role of roles) await resolve(TOKENS.assignRole)({ caller: OPERATOR, email, role })
  return id
}

/** Makes an API key with these roles; gives the key. */
export async function makeApiKey(place: Place, roles: readonly string[]): Promise<string> {
  await makeRoles(place, roles)
  return (await place.resolve(TOKENS.createApiKey)({ caller: OPERATOR, name: 'test key', roles })).key
}

async function makeRoles({ resolve, store }: Place, roles: readonly string[]): Promise<void> {
  const known = new Set((await store.roles.list()).map(({ key }) => String(key)))
  for (const key of roles) {
    if (!known.has(key)) await resolve(TOKENS.createRole)({ caller: OPERATOR, key, label: `Label of ${key}` })
  }
}
