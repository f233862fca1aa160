import * as z from 'zod'
import { STILL_HELD } from '../../../application/access/roles.js'
import { creatorText, type ApiKeyId } from '../../../domain/access/api-key.js'
import { roleKey, type RoleKey } from '../../../domain/access/role.js'
import { withIsoTimes } from '../../../domain/instant.js'
import { positiveIntegerIn } from '../../../domain/parsed.js'
import {
  accountIn,
  administration,
  administrationList,
  done,
  ofAccount,
  administrator,
  ADMINISTRATION_ROOT,
  administratorRequirements,
} from '../../administration.js'
import * as refused from '../../description/refusals.js'
import { bodyOf, type Endpoint } from '../../endpoint.js'
import type { Exchange } from '../../message.js'
import * as schemas from '../../schemas/administration.js'
import { SESSION_POSITIONS } from '../sessions.js'
import { NO_CREDENTIALS } from '../../description/refusals.js'
import { ANONYMOUS, type Caller } from '../../../domain/access/caller.js'
import { permissionsSchema } from '../../schemas/administration.js'

const badKey = (field: string) =>
  refused.messageOf('Format', 'must have 1 to 100 letters, digits, dots, underscores or hyphens', field)

const SESSIONS = '/users/:id/sessions'
const parameterSchema = (description: string, example: string) =>
  z.string().meta({ description, param: { example } })
const ROLE_KEY = parameterSchema('The key of the role.', 'editor')
const KEY_ID = parameterSchema('The id of the API key.', '3')
const SESSION_ID = parameterSchema('The id of the session.', schemas.SESSION.example.id)

const MEMBERSHIP = '/users/:id/roles/:key'
const ofMembership = ofAccount({ key: ROLE_KEY })

const parameter = ({ request }: Exchange, name: string) => request.parameters[name] ?? ''
const membershipIn = (exchange: Exchange) => ({ ...accountIn(exchange), role: parameter(exchange, 'key') })

export const access: readonly Endpoint[] = [
  administrationList('/roles', 'listRoles', {
    summary: 'List the roles',
    ...{ entries: 'roles', version: 'r1', example: 'editor' as RoleKey, write: String },
    read: (text) => {
      const key = roleKey(text)
      return key.ok ? key.value : undefined
    },
    positionOf: ({ key }) => key,
    ...{ row: schemas.ROLE, present: withIsoTimes },
  }),
  administration(['POST', '/roles'], 'createRole', {
    summary: 'Create a role',
    description: 'The permission file defines the permissions of a role.',
    body: bodyOf(schemas.newRoleSchema, { key: 'editor', label: 'Editor' }),
    replies: { 201: { description: 'Created', ...schemas.ROLE } },
    refusals: {
      400: refused.NO_TEXT('key'),
      409: refused.messageOf('Duplicate', 'A role with this key already exists.', 'key'),
    },
    input: ({ json }) => ({ ...json }),
    reply: (role) => ({ status: 201, body: role }),
  }),
  administration(['DELETE', '/roles/:key'], 'deleteRole', {
    summary: 'Delete a role that is not assigned to any account or valid API key',
    parameters: { path: z.object({ key: ROLE_KEY }) },
    ...done('Deleted'),
    refusals: {
      400: badKey('key'),
      404: refused.NO_ROLE,
      409: refused.messageOf('Conflict', STILL_HELD, 'key'),
    },
    input: (exchange) => ({ key: parameter(exchange, 'key') }),
  }),
  administration(['PUT', MEMBERSHIP], 'assignRole', {
    ...{ summary: 'Assign a role to an account', ...ofMembership, ...done('Assigned') },
    refusals: { 400: badKey('role'), 404: refused.NO_ROLE },
    input: membershipIn,
  }),
  administration(['DELETE', MEMBERSHIP], 'assignRole', {
    ...{
      id: 'adminRemoveRole',
      summary: 'Remove a role from an account',
      ...ofMembership,
      ...done('Removed'),
    },
    refusals: { 400: badKey('role'), 404: refused.NO_ROLE },
    input: (exchange) => ({ ...membershipIn(exchange), remove: true }),
  }),
  administrationList(SESSIONS, 'listSessions', {
    summary: 'List the active sessions of an account, oldest first',
    ...{ entries: 'sessions', ...SESSION_POSITIONS, ...ofAccount() },
    input: (_, exchange) => accountIn(exchange),
    positionOf: ({ createdAt, id }) => ({ createdAt, id }),
    ...{ row: schemas.SESSION, present: withIsoTimes },
  }),
  administration(['DELETE', SESSIONS], 'revokeSessions', {
    ...{ summary: 'End every session of an account', ...ofAccount() },
    replies: { 200: { description: 'Ended', schema: schemas.endedSchema, example: { ended: 2 } } },
    reply: (ended) => ({ status: 200, body: { ended } }),
  }),
  administration(['DELETE', `${SESSIONS}/:sessionId`], 'revokeSession', {
    summary: 'End one session of an account',
    ...ofAccount({ sessionId: SESSION_ID }),
    ...done('Ended'),
    refusals: { 404: refused.messageOf('NotFound', 'The account has no session with this id.', 'id') },
    input: (exchange) => ({ ...accountIn(exchange), id: parameter(exchange, 'sessionId') }),
  }),
  administrationList('/api-keys', 'listApiKeys', {
    summary: 'List the API keys, including revoked and expired keys',
    ...{ entries: 'API keys', version: 'k1', example: 3 as ApiKeyId, write: String },
    read: (text) => positiveIntegerIn(text) as ApiKeyId | undefined,
    positionOf: ({ id }) => id,
    row: schemas.API_KEY,
    present: ({ roles, createdBy, ...key }) =>
      withIsoTimes({
        ...key,
        roles: roles.map(({ key: one }) => one),
        ...(createdBy !== undefined && { createdBy: creatorText(createdBy) }),
      }),
  }),
  administration(['POST', '/api-keys'], 'createApiKey', {
    summary: 'Create an API key',
    description: 'Assigning roles also requires the permission `user-task: role`.',
    body: bodyOf(schemas.newApiKeySchema, { name: 'Import job', roles: ['editor'] }),
    replies: {
      201: {
        ...{ description: 'Created', schema: schemas.createdApiKeySchema },
        example: { id: 3, key: 'kennel_EXAMPLE-EXAMPLE-EXAMPLE-EXAMPLE-EXAMPLE-EXAM' },
      },
    },
    refusals: { 400: refused.MISSING('name'), 404: refused.NO_ROLE },
    input: ({ json: { roles = [], expiresAt, ...rest } = {} }) => ({
      ...{ ...rest, roles, expiresAt: schemas.instantIn(expiresAt, 'expiresAt') },
    }),
    reply: (created) => ({ status: 201, body: created }),
  }),
  administration(['DELETE', '/api-keys/:id'], 'revokeApiKey', {
    summary: 'Revoke an API key',
    parameters: { path: z.object({ id: KEY_ID }) },
    ...done('Revoked'),
    refusals: {
      400: refused.messageOf('Format', 'must be the id of an API key, a positive integer', 'id'),
      404: refused.messageOf('NotFound', 'There is no API key with this id.', 'id'),
    },
    input: (exchange) => ({ id: parameter(exchange, 'id') }),
  }),
]

/**
 * Returns the caller's permissions, so that a page or a program can offer only permitted actions. Needs credentials, but no
 * permission.
 */
export const permissions: Endpoint = {
  method: 'GET',
  path: `${ADMINISTRATION_ROOT}/permissions`,
  isOffered: ({ administration }) => administration !== 'off',
  describe: (settings) => ({
    id: 'adminPermissions',
    summary: 'List your own permissions',
    description: 'The actions that the credentials of the request permit.',
    ...{ tag: 'administration', security: administratorRequirements(settings) },
    replies: {
      200: {
        ...{ description: 'The permissions', schema: permissionsSchema },
        example: {
          caller: { kind: 'account', id: 7, email: 'ada@example.com' },
          permissions: { user: ['list', 'show'], role: ['list'] },
        },
      },
    },
    refusals: { 401: NO_CREDENTIALS },
  }),
  stages: (parts) => [administrator(parts)],
  work:
    ({ useCases }) =>
    ({ caller = ANONYMOUS }) => ({
      status: 200,
      body: { caller: shown(caller), permissions: useCases.permissionsOf(caller) },
    }),
}

function shown(caller: Caller): object {
  if (caller.kind === 'account') return { kind: caller.kind, id: caller.accountId, email: caller.email }
  return caller.kind === 'api-key' ? { kind: caller.kind, id: caller.apiKeyId } : { kind: caller.kind }
}
