import 'reflect-metadata'
import { Container } from 'inversify'
import { createCreateApiKey } from '../application/access/create-api-key.js'
import { createCreateRole } from '../application/access/create-role.js'
import { createAssignRole } from '../application/accounts/assign-role.js'
import { createCreateUser } from '../application/accounts/create-user.js'
import { createHashNewPassword } from '../application/accounts/hash-new-password.js'
import { createSetAllPasswords } from '../application/accounts/set-all-passwords.js'
import { createSetPassword } from '../application/accounts/set-password.js'
import {
  createAuthenticatePetClient,
  type AuthenticatePetClientParts,
} from '../application/catalogue/authenticate-pet-client.js'
import { createCreatePet } from '../application/catalogue/create-pet.js'
import { createListPets } from '../application/catalogue/list-pets.js'
import { createPatchPet } from '../application/catalogue/patch-pet.js'
import { createReadPet } from '../application/catalogue/read-pet.js'
import { createReadPets } from '../application/catalogue/read-pets.js'
import { createCreateProject } from '../application/project/create-project.js'
import { createPurgeExpired } from '../application/purge-expired.js'
import { createListUsers } from '../application/accounts/list-users.js'
import { createDisableUser } from '../application/accounts/disable-user.js'
import { createEnableUser } from '../application/accounts/enable-user.js'
import { createDeleteUser } from '../application/accounts/delete-user.js'
import { createImportUsers } from '../application/accounts/import-users.js'
import { createListRoles } from '../application/access/list-roles.js'
import { createListSessions } from '../application/access/list-sessions.js'
import { createRevokeSessions } from '../application/access/revoke-sessions.js'
import { createListApiKeys } from '../application/access/list-api-keys.js'
import { createRevokeApiKey } from '../application/access/revoke-api-key.js'
import { createCopyStore } from '../application/copy-store.js'
import { createPurgeStore } from '../application/purge-store.js'
import type { Milliseconds } from '../domain/instant.js'
import { createResetTokens } from '../adapters/keyring/index.js'
import { bindFurtherActions } from './further-actions.js'
import { bindIdentity } from './identity.js'
import type { Infrastructure } from './infrastructure-parts.js'
import type { AttemptLimit } from '../ports/attempt-limiter.js'
import { throttleOf, type ThrottleParts } from './throttling.js'
import { applied, provide, provideForCallers, TOKENS, type Token } from './tokens.js'

/** Resolves one part by its token. */
export type Resolve = <T>(token: Token<T>) => T

/** The synchronous graph: connections are open already, so nothing in it waits. */
export function composeUseCases(infrastructure: Infrastructure): Resolve {
  const container = new Container()
  bindInfrastructure(container, infrastructure)
  bindIdentity(container, infrastructure)
  bindFurtherActions(container, infrastructure)
  bindCatalogue(container, infrastructure.loginLimit)
  bindAccounts(container)
  bindAccess(container, infrastructure.auditRetention)
  return (token) => container.get(token)
}

function bindInfrastructure(container: Container, infrastructure: Infrastructure): void {
  const { store, credentials, impersonationTtl: maxDuration, ...rest } = infrastructure
  const { audit: auditLog, ...ports } = store
  const constants = {
    ...ports,
    auditLog,
    ...rest,
    maxDuration,
    resetTokens: createResetTokens(),
    ...credentials,
  }
  for (const [name, value] of Object.entries(constants)) {
    if (Object.hasOwn(TOKENS, name))
      container.bind(TOKENS[name as keyof typeof TOKENS]).toConstantValue(value)
  }
}

function bindCatalogue(container: Container, limit: AttemptLimit | undefined): void {
  const { pets, clock } = TOKENS
  provideForCallers(container, 'listPets', createListPets, { pets })
  provideForCallers(container, 'createPet', createCreatePet, { pets, clock })
  provideForCallers(container, 'readPet', createReadPet, { pets })
  provideForCallers(container, 'readPets', createReadPets, { pets })
  provideForCallers(container, 'patchPet', createPatchPet, { pets })
  provide(
    container,
    TOKENS.authenticatePetClient,
    (parts: Omit<AuthenticatePetClientParts, 'throttle'> & ThrottleParts) =>
      createAuthenticatePetClient({ ...parts, throttle: throttleOf(parts, limit) }),
    {
      accounts: TOKENS.accounts,
      apiKeys: TOKENS.apiKeys,
      secrets: TOKENS.apiKeySecrets,
      hasher: TOKENS.basicHasher,
      verifications: TOKENS.verifications,
      security: TOKENS.petSecurity,
      audit: TOKENS.audit,
      attempts: TOKENS.attempts,
      digest: TOKENS.digest,
      clock,
    },
  )
  provideForCallers(container, 'createProject', createCreateProject, {
    projects: TOKENS.projects,
    clock,
  })
}

function bindAccounts(container: Container): void {
  const { accounts, roles, clock, hasher, hashNewPassword, audit } = TOKENS
  provide(container, hashNewPassword, createHashNewPassword, { hasher, minLength: TOKENS.minPasswordLength })
  provideForCallers(container, 'createUser', createCreateUser, {
    accounts,
    hashNewPassword,
    audit,
    clock,
  })
  const passwords = { accounts, hashNewPassword, audit }
  provideForCallers(container, 'setPassword', createSetPassword, passwords)
  provideForCallers(container, 'setAllPasswords', createSetAllPasswords, passwords)
  provideForCallers(container, 'assignRole', createAssignRole, { roles, accounts, audit })
  provideForCallers(container, 'listUsers', createListUsers, { accounts })
  provideForCallers(container, 'disableUser', createDisableUser, { accounts, audit, clock })
  provideForCallers(container, 'enableUser', createEnableUser, { accounts, audit })
  provideForCallers(container, 'deleteUser', createDeleteUser, { accounts, audit })
  provideForCallers(container, 'importUsers', createImportUsers, { accounts, hasher, audit, clock })
}

function bindAccess(container: Container, auditRetention: Milliseconds | undefined): void {
  const { accounts, sessions, roles, clock, randomness, audit } = TOKENS
  const { apiKeys, apiKeySecrets: secrets } = TOKENS
  provideForCallers(container, 'createRole', createCreateRole, { roles, randomness })
  provideForCallers(container, 'listRoles', createListRoles, { roles })
  provideForCallers(container, 'createApiKey', createCreateApiKey, { apiKeys, secrets, audit, clock })
  provideForCallers(container, 'listApiKeys', createListApiKeys, { apiKeys })
  provideForCallers(container, 'revokeApiKey', createRevokeApiKey, { apiKeys, audit, clock })
  provideForCallers(container, 'listSessions', createListSessions, { accounts, sessions, clock })
  provideForCallers(container, 'revokeSessions', createRevokeSessions, { accounts, sessions, audit })
  const { purgeExpired } = TOKENS
  const { revocations, attempts, pets, auditLog } = TOKENS
  provide(container, purgeExpired, applied(createPurgeExpired, { auditRetention }), {
    sessions,
    revocations,
    attempts,
    pets,
    auditLog,
    clock,
  })
  provideForCallers(container, 'purgeStore', createPurgeStore, { purgeExpired })
  provideForCallers(container, 'copyStore', createCopyStore, {
    source: TOKENS.records,
    digest: TOKENS.digest,
  })
}
