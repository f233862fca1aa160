import { CREATE_PROJECT, credentials, GET_IDENTITY, LOGIN, REFRESH } from '../support/http/browser.js'
import { PETS } from '../support/http/pet-calls.js'
import { EVERY_PROTECTED_ROUTE } from '../support/http/protected-routes.js'
import { PASSWORD } from '../support/http/service.js'
import type { Clients } from './recorded-requests.js'

const [APP, PHONE, EVIL] = ['https://app.example', 'capacitor://localhost', 'https://evil.example']
/** The origins that `CORS_ORIGINS` lists in the recording. */
export const LISTED = [APP, PHONE]
const ORIGINS = [...LISTED, EVIL, 'https://app.example:8443', 'null', '*']
const PREFLIGHT = { 'Access-Control-Request-Method': 'POST' }
const ASKING = { ...PREFLIGHT, 'Access-Control-Request-Headers': 'content-type,traceparent,x-authorization' }
const BOB = { email: 'bob@example.com', password: PASSWORD }

/** Requests from pages on listed and unlisted origins. */
export async function sendFromOrigins({ anyone, bob, heldBy }: Clients): Promise<void> {
  await bob('POST', LOGIN, BOB)
  for (const Origin of ORIGINS) {
    const call = { headers: { Origin } }
    await bob('GET', GET_IDENTITY, undefined, call)
    await bob('POST', CREATE_PROJECT, {}, call)
    await anyone('POST', LOGIN, BOB, call)
    await anyone('POST', LOGIN, { ...BOB, password: 'wrong' }, call)
    await anyone('POST', LOGIN, undefined, { ...call, body: 'x'.repeat(20_000) })
    for (const path of [GET_IDENTITY, LOGIN, '/api/nothing']) await anyone('GET', path, undefined, call)
    await anyone('OPTIONS', LOGIN, undefined, { headers: { Origin, ...PREFLIGHT } })
  }
  const paths = EVERY_PROTECTED_ROUTE.map(({ path }) => path)
  for (const path of new Set([LOGIN, GET_IDENTITY, REFRESH, PETS, ...paths]))
    await anyone('OPTIONS', path, undefined, { headers: { Origin: APP, ...ASKING } })
  await anyone('POST', LOGIN, BOB, { headers: { Origin: APP, 'Sec-Fetch-Site': 'cross-site' } })
  // A cookie alone does not authenticate a page of another origin.
  const { cookie } = heldBy('bob')
  const foreign = { ...credentials({ cookie }), Origin: EVIL, 'Sec-Fetch-Site': 'cross-site' }
  for (const { method, path, json } of EVERY_PROTECTED_ROUTE) {
    const form = json && { body: JSON.stringify(json) }
    await anyone(method, path, undefined, { ...form, headers: { ...foreign, 'Content-Type': 'text/plain' } })
  }
  await bob('GET', GET_IDENTITY)
}
