import type { Caller } from '../../domain/access/caller.js'
import type { AssignRole } from '../accounts/assign-role.js'
import type { CreateUser } from '../accounts/create-user.js'
import type { DeleteUser } from '../accounts/delete-user.js'
import type { DisableUser } from '../accounts/disable-user.js'
import type { EnableUser } from '../accounts/enable-user.js'
import type { ImportUsers } from '../accounts/import-users.js'
import type { ListUsers } from '../accounts/list-users.js'
import type { SetAllPasswords } from '../accounts/set-all-passwords.js'
import type { SetPassword } from '../accounts/set-password.js'
import type { ListAudit } from '../audit/list-audit.js'
import type { CreatePet } from '../catalogue/create-pet.js'
import type { ListPets } from '../catalogue/list-pets.js'
import type { PatchPet } from '../catalogue/patch-pet.js'
import type { ReadPet } from '../catalogue/read-pet.js'
import type { ReadPets } from '../catalogue/read-pets.js'
import type { CopyStore } from '../copy-store.js'
import type { CreateProject } from '../project/create-project.js'
import type { PurgeStore } from '../purge-store.js'
import type { Authorize, Authorized } from './authorize.js'
import type { CreateApiKey } from './create-api-key.js'
import type { CreateRole } from './create-role.js'
import type { ListApiKeys } from './list-api-keys.js'
import type { ListRoles } from './list-roles.js'
import type { ListSessions } from './list-sessions.js'
import type { RevokeApiKey } from './revoke-api-key.js'
import type { RevokeSessions } from './revoke-sessions.js'

/** Every use case whose permission is judged before it runs. */
export type AuthorizedUseCases = {
  assignRole: AssignRole
  copyStore: CopyStore
  createApiKey: CreateApiKey
  createPet: CreatePet
  createProject: CreateProject
  createRole: CreateRole
  createUser: CreateUser
  deleteUser: DeleteUser
  disableUser: DisableUser
  enableUser: EnableUser
  importUsers: ImportUsers
  listApiKeys: ListApiKeys
  listAudit: ListAudit
  listPets: ListPets
  listRoles: ListRoles
  listSessions: ListSessions
  listUsers: ListUsers
  patchPet: PatchPet
  purgeStore: PurgeStore
  readPet: ReadPet
  readPets: ReadPets
  revokeApiKey: RevokeApiKey
  revokeSessions: RevokeSessions
  setAllPasswords: SetAllPasswords
  setPassword: SetPassword
}

type PermissionOf<UseCase> = UseCase extends (input: infer Input) => unknown
  ? Input extends { readonly authorized: { readonly component: infer C; readonly action: infer A } }
    ? readonly [C, A]
    : never
  : never

/** What each use case needs. One that takes another proof than it says here does not compile. */
export const REQUIRED_PERMISSIONS: {
  readonly [Name in keyof AuthorizedUseCases]: PermissionOf<AuthorizedUseCases[Name]>
} = {
  assignRole: ['user-task', 'role'],
  copyStore: ['store', 'copy'],
  createApiKey: ['apikey', 'create'],
  createPet: ['pets', 'create'],
  createProject: ['project', 'create'],
  createRole: ['role', 'create'],
  createUser: ['user-task', 'create'],
  deleteUser: ['user', 'delete'],
  disableUser: ['user', 'disable'],
  enableUser: ['user', 'enable'],
  importUsers: ['user', 'import'],
  listApiKeys: ['apikey', 'list'],
  listAudit: ['audit', 'list'],
  listPets: ['pets', 'list'],
  listRoles: ['role', 'list'],
  listSessions: ['session', 'list'],
  listUsers: ['user', 'list'],
  patchPet: ['pets', 'update'],
  purgeStore: ['store', 'purge'],
  readPet: ['pets', 'read'],
  readPets: ['pets', 'list'],
  revokeApiKey: ['apikey', 'revoke'],
  revokeSessions: ['session', 'revoke'],
  setAllPasswords: ['user-task', 'password'],
  setPassword: ['user-task', 'password'],
}

/** The name of a use case whose permission is judged before it runs. */
export type AuthorizedName = keyof typeof REQUIRED_PERMISSIONS

type Proven = { readonly authorized: Authorized }

/** The same input with the caller in the place of the proofs. */
type AskedBy<Input> = Input extends { readonly authorized: { readonly caller: infer Who } }
  ? Omit<Input, 'authorized' | 'mayImport'> & { readonly caller: Who }
  : Input

/** Of a use case with one input, else `undefined`. */
type InputOf<UseCase> = UseCase extends (...args: infer Args) => unknown
  ? Args extends readonly [infer Input]
    ? Input
    : undefined
  : undefined

type AnswerOf<UseCase> = UseCase extends (...args: never) => infer Answer ? Answer : never

/** A use case for whoever has a caller and no proof; any other use case is itself. */
export type ByCaller<UseCase> =
  InputOf<UseCase> extends Proven ? (input: AskedBy<InputOf<UseCase>>) => AnswerOf<UseCase> : UseCase

/** A use case that takes the proof, or the caller to judge. */
export type ForCallers<UseCase> =
  InputOf<UseCase> extends Proven
    ? (input: InputOf<UseCase> | AskedBy<InputOf<UseCase>>) => AnswerOf<UseCase>
    : UseCase

/** The same of each of them. */
export type AllForCallers<UseCases> = { readonly [Name in keyof UseCases]: ForCallers<UseCases[Name]> }

/** What callers say who ask for themselves; a hash of a password needs a permission of its own. */
type Asked = { readonly caller: Caller; readonly passwordHash?: string | undefined }

/**
 * The use case as `ForCallers` says: judges the caller's permission before it runs. It refuses as `Authorize` does, by
 * a rejected promise; `importUsers`, which answers at once, by throwing.
 */
export function forCallers<Name extends AuthorizedName>(
  name: Name,
  useCase: AuthorizedUseCases[Name],
  authorize: Authorize,
): ForCallers<AuthorizedUseCases[Name]> {
  const [component, action] = REQUIRED_PERMISSIONS[name]
  const run = useCase as (input: Proven) => unknown
  const judge = ({ caller, ...rest }: Asked): Proven => {
    const authorized = authorize(caller, component, action)
    if (rest.passwordHash === undefined) return { ...rest, authorized }
    return { ...rest, authorized, mayImport: authorize(caller, 'user', 'import') } as Proven
  }
  const asked =
    name === 'importUsers' ? (ask: Asked) => run(judge(ask)) : async (ask: Asked) => await run(judge(ask))
  const either = (input: Asked | Proven) => ('caller' in input ? asked(input) : run(input))
  return either as ForCallers<AuthorizedUseCases[Name]>
}
