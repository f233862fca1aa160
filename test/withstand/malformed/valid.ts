import { ENDPOINTS } from '../../../src/http/endpoints.js'
import type { Endpoint } from '../../../src/http/endpoint.js'
import { PASSWORD } from '../../support/use-cases.js'
import type { Draft } from './grammar/draft.js'
import type { Member, Pool } from './pool.js'
import type { Random } from '../random.js'

/** Whose login is another one afterwards, or none. */
const ENDING = [
  ...['/api/auth/refresh', '/api/auth/logout', '/api/auth/change-password', '/api/auth/delete-account'],
  ...[
    '/api/auth/login-as',
    '/api/auth/logout-as',
    '/api/auth/sessions/end',
    '/api/auth/second-factor/set-up',
  ],
]

/** A request of any endpoint that would be answered as is. */
export function validRequest(pool: Pool, random: Random): Draft {
  const endpoint = random.pick(ENDPOINTS)
  const { method, path, body: rule } = endpoint
  const member = random.pick(ENDING.includes(path) ? pool.victims : pool.members)
  const type = rule && random.pick(Object.keys(rule.content))
  const body = type === undefined ? '' : JSON.stringify(bodyOf(endpoint, type, { member, pool, random }))
  return {
    method,
    target: targetOf(path, pool, random),
    version: 'HTTP/1.1',
    headers: [
      'Host: kennel.test',
      ...(type === undefined ? [] : [`Content-Type: ${type}`]),
      ...credentialsOf(path, { member, pool, random }),
    ],
    body,
    isMeasured: true,
    takesBody: rule !== undefined,
    end: '\r\n',
    afterwards: [],
  }
}

type Choice = { readonly member: Member; readonly pool: Pool; readonly random: Random }

function bodyOf({ path, body }: Endpoint, type: string, { member, pool, random }: Choice): object {
  const { email, refreshToken } = member
  const own: Readonly<Record<string, object>> = {
    '/api/auth/login': { email, password: PASSWORD },
    '/api/auth/refresh': { refreshToken },
    '/api/auth/change-password': { password: PASSWORD, newPassword: `${PASSWORD} again` },
    '/api/auth/delete-account': { password: PASSWORD },
    '/api/auth/login-as': { userId: random.pick(pool.members).id },
    '/api/auth/reset-password': { email },
    '/api/auth/second-factor/set-up': { password: PASSWORD },
    '/api/project/close': { id: random.pick(pool.projectIds) },
  }
  return own[path] ?? body?.content[type]?.example ?? {}
}

function targetOf(path: string, { petIds, projectIds }: Pool, random: Random): string {
  const filled = path
    .replace(':petId', String(random.pick(petIds)))
    .replace(':projectId', String(random.pick(projectIds)))
    .replace(':file', 'page.css')
  return filled === '/v1/pets'
    ? `${filled}${random.pick(['', '?limit=2', `?ids=${petIds.join(',')}`])}`
    : filled
}

function credentialsOf(path: string, { member, pool, random }: Choice): readonly string[] {
  const pair = Buffer.from(`${member.email}:${PASSWORD}`).toString('base64')
  if (path.startsWith('/v1/'))
    return random.pick([
      [`X-API-Key: ${pool.apiKey}`],
      [`ApiKeyAuth: ${pool.apiKey}`],
      [`Authorization: Basic ${pair}`],
      [`BasicAuth: ${pair}`],
    ])
  if (path === '/api/auth/refresh') return [`Cookie: ${member.cookie}`]
  if (!path.startsWith('/api/') || path === '/api/auth/login') return []
  return [`Cookie: ${member.cookie}`, `X-Authorization: Bearer ${member.accessToken}`]
}
