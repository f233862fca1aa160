import { administrator, ADMINISTRATION_ROOT, administratorRequirements } from '../../administration.js'
import { NO_CREDENTIALS } from '../../description/refusals.js'
import type { Endpoint } from '../../endpoint.js'
import type { Caller } from '../../../domain/access/caller.js'
import { permissionsSchema } from '../../schemas/administration.js'

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
    ({ caller }) => {
      if (!caller) throw new TypeError('The stage `administrator` has not identified the caller.')
      return { status: 200, body: { caller: shown(caller), permissions: useCases.permissionsOf(caller) } }
    },
}

function shown(caller: Caller): object {
  if (caller.kind === 'account') return { kind: caller.kind, id: caller.accountId, email: caller.email }
  return caller.kind === 'api-key' ? { kind: caller.kind, id: caller.apiKeyId } : { kind: caller.kind }
}
