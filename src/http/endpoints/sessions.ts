import * as z from 'zod'
import { envelope } from '../schemas/identity.js'
import type { OwnSession } from '../../application/identity/own-sessions.js'
import type { SessionId } from '../../domain/identity/session.js'
import { withIsoTimes } from '../../domain/instant.js'
import type { SessionPosition } from '../../ports/sessions.js'
import * as refused from '../description/refusals.js'
import { type Endpoint, bodyOf } from '../endpoint.js'
import { keyset, type PagedList } from '../keyset.js'
import { success } from '../reply/envelope.js'
import { calling, members } from '../stages.js'
import { clearedCookie } from '../description/headers.js'

/** Body of POST /api/auth/sessions/end; the use case requires exactly one member. */
const endSessionsBodySchema = z
  .object({
    id: z.string().optional().describe('A session id from the list.'),
    others: z.boolean().optional().describe('`true` ends all sessions except the current session.'),
  })
  .meta({
    id: 'EndSessionsRequest',
    oneOf: [
      { required: ['id'], properties: { id: { type: 'string' } } },
      { required: ['others'], properties: { others: { const: true } } },
    ],
  })

const ownSessionSchema = z
  .strictObject({
    id: z.string().describe('Identifies the session; it is not a credential.'),
    createdAt: z.iso.datetime(),
    refreshedAt: z.iso.datetime().describe('Time of the last refresh, or of the login.'),
    network: z
      .string()
      .nullable()
      .describe('The address of the last refresh, the /64 for IPv6; null if unknown.'),
    client: z
      .string()
      .max(64)
      .nullable()
      .describe('The client as it described itself at login; null if unknown.'),
    current: z.boolean().describe('Whether this session sent the request.'),
    impersonated: z.boolean().describe('Whether an administrator is acting as the account in this session.'),
  })
  .meta({ id: 'OwnSession' })

const ownSessionsEnvelopeSchema = envelope('OwnSessionsEnvelope', {
  sessions: z.array(ownSessionSchema),
})

const endedSessionsEnvelopeSchema = envelope('EndedSessionsEnvelope', { ended: z.int().min(0) })

const PATH = '/api/auth/sessions'

/** The position of a session in a list, for cursors. */
export const SESSION_POSITIONS: Omit<PagedList<SessionPosition>, 'path' | 'entries'> = {
  version: 's1',
  write: ({ createdAt, id }) => `${createdAt}.${id}`,
  read: (text) => {
    const [, createdAt, id] = /^(0|[1-9]\d{0,14})\.([\w.-]{1,64})$/.exec(text) ?? []
    return id === undefined ? undefined : { createdAt: Number(createdAt), id: id as SessionId }
  },
  example: { createdAt: Date.UTC(2026, 0, 2, 3, 4, 5, 678), id: 'qT3xEXAMPLE-EXAMPLE_uQ' as SessionId },
}

const PAGES = keyset({ ...SESSION_POSITIONS, path: PATH, entries: 'sessions' })

const EXAMPLE = {
  ...{ id: 'qT3xEXAMPLE-EXAMPLE_uQ', createdAt: '2026-01-02T03:04:05.678Z' },
  ...{ refreshedAt: '2026-01-09T10:11:12.131Z', network: '203.0.113.7', client: 'Firefox 130 on Linux' },
  ...{ current: true, impersonated: false },
}

/** Declares `GET /api/auth/sessions`; absent in stateless mode, which has no sessions. */
export const listSessions: Endpoint = {
  method: 'GET',
  path: PATH,
  isOffered: ({ stateless }) => !stateless,
  describe: (settings) => ({
    id: 'listSessions',
    summary: 'List the sessions of your own account',
    description: 'One page of the sessions, oldest first.',
    parameters: { query: PAGES.query },
    replies: {
      200: {
        description: 'The sessions',
        schema: ownSessionsEnvelopeSchema,
        example: success({ sessions: [EXAMPLE] }),
        headers: PAGES.described(settings.publicUrl),
      },
    },
    refusals: { 400: refused.BAD_LIMIT },
  }),
  ...calling(
    'listOwnSessions',
    ({ request }) => PAGES.asked(request.search),
    ({ sessions, next }, { base, input: { limit } }) => ({
      status: 200,
      headers: PAGES.headers(base, limit, next),
      body: success({ sessions: sessions.map(presentSession) }),
    }),
  ),
}

function presentSession({ createdAt, refreshedAt, network, client, ...rest }: OwnSession) {
  return withIsoTimes({ ...rest, createdAt, refreshedAt, network: network ?? null, client: client ?? null })
}

/** Declares `POST /api/auth/sessions/end`; absent in stateless mode, which has no sessions. */
export const endSessions: Endpoint = {
  method: 'POST',
  path: '/api/auth/sessions/end',
  isOffered: ({ stateless }) => !stateless,
  body: bodyOf(endSessionsBodySchema, { others: true }),
  describe: (settings) => ({
    id: 'endSessions',
    summary: 'End sessions of your own account',
    description:
      '`id` ends that session, even if it is the current session; `others` ends all sessions except the current session.',
    replies: {
      200: {
        description: 'The number of ended sessions',
        schema: endedSessionsEnvelopeSchema,
        example: success({ ended: 2 }),
        headers: clearedCookie(settings),
      },
    },
    refusals: {
      400: refused.messageOf('NotValid', 'Send either id or others: true.'),
      404: refused.messageOf('NotFound', 'You have no session with this id.', 'id'),
    },
  }),
  ...calling('endOwnSessions', members('id', 'others'), ({ ended, current }) => ({
    status: 200,
    body: success({ ended }),
    ...(current && { session: 'ended' }),
  })),
}
