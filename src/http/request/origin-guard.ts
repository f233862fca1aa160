import { refuse, type Refusal } from '../../domain/refusal.js'
import type { Stage } from '../exchange.js'
import type { HttpSettings } from '../settings.js'

type Settings = Pick<HttpSettings, 'publicUrl' | 'production' | 'corsOrigins'>

/**
 * Protects endpoints without a bearer header, such as login, from cross-site request forgery: `Origin` must be the service's own origin or
 * a listed origin, and with `Sec-Fetch-Site: cross-site` it must be a listed origin.
 */
export function originGuard({ publicUrl, production, corsOrigins }: Settings): Stage {
  const ours = ownOrigins(publicUrl, production)
  return ({ request }) => {
    const origin = request.header('origin') ?? ''
    const listed = corsOrigins.includes(origin)
    if (origin !== '' && !ours.includes(origin) && !listed) throw forbiddenOrigin(origin)
    if (request.header('sec-fetch-site') === 'cross-site' && !listed) throw forbiddenSite()
  }
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/** Returns the origin of the public URL and, outside production, the two other names of a loopback origin. */
function ownOrigins(publicUrl: string, production: boolean): readonly string[] {
  const { protocol, hostname, port, origin } = new URL(publicUrl)
  if (production || !LOOPBACK.includes(hostname)) return [origin]
  return LOOPBACK.map((name) => new URL(`${protocol}//${name}:${port}`).origin)
}

/** Only a well-formed `Origin` of limited length appears in messages. */
const NAMED = /^[a-z][a-z0-9+.-]{0,31}:\/\/[\w.:[\]-]{1,260}$/i

/** Returns a refusal that names the rejected origin and the settings that would accept that origin. */
function forbiddenOrigin(origin: string): Refusal {
  const named = NAMED.test(origin) ? `the origin ${origin}` : 'this origin'
  const message = `Requests from ${named} are not accepted: the origin must be the origin of PUBLIC_URL, or be listed in CORS_ORIGINS.`
  return refuse('forbidden', 'Forbidden', message, 'origin check')
}

function forbiddenSite(): Refusal {
  const message = 'Requests from another site are not accepted, unless CORS_ORIGINS lists its origin.'
  return refuse('forbidden', 'Forbidden', message, 'origin check')
}
