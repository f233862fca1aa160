import { firebase, type FirebaseParameters } from './sources/firebase.js'
import type { Source } from './sources/foreign-user.js'
import { KEYCLOAK } from './sources/keycloak.js'
import { KRATOS } from './sources/kratos.js'
import { AUTH0, BETTER_AUTH, CLERK, RODAUTH, SUPABASE, superTokens } from './sources/tables.js'

/** The systems whose exports can be imported, by the value of `--from`. */
const SOURCES = {
  'better-auth': () => BETTER_AUTH,
  keycloak: () => KEYCLOAK,
  kratos: () => KRATOS,
  supertokens: superTokens,
  auth0: () => AUTH0,
  firebase,
  clerk: () => CLERK,
  supabase: () => SUPABASE,
  rodauth: () => RODAUTH,
} as const satisfies Readonly<Record<string, (parameters: FirebaseParameters | undefined) => Source>>

/** Kennel's own format, the default. */
export const KENNEL = 'kennel'

export const SOURCE_NAMES: readonly string[] = [KENNEL, ...Object.keys(SOURCES)]

/** Returns the source with this name; `undefined` for Kennel's own format. */
export function sourceCalled(name: string, parameters?: FirebaseParameters): Source | undefined {
  return name in SOURCES ? SOURCES[name as keyof typeof SOURCES](parameters) : undefined
}
