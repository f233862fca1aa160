import type { Stage } from '../exchange.js'
import { forbiddenOrigin, forbiddenSite } from '../reply/http-error.js'
import type { HttpSettings } from '../settings.js'

type Settings = Pick<HttpSettings, 'publicUrl' | 'production' | 'corsOrigins'>

/**
 * Closes login against forged cross-site requests, which no bearer header does there: an
 * `Origin` has to be ours or on the CORS list, and `Sec-Fetch-Site: cross-site` needs a listed one.
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

/**
 * That of the public URL. Outside production a loopback one has three names, and a developer types any of them: what
 * calls from another name of this machine's is a page of the developer's own.
 */
function ownOrigins(publicUrl: string, production: boolean): readonly string[] {
  const { protocol, hostname, port, origin } = new URL(publicUrl)
  if (production || !LOOPBACK.includes(hostname)) return [origin]
  return LOOPBACK.map((name) => new URL(`${protocol}//${name}:${port}`).origin)
}
