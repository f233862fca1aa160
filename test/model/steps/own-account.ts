import fc from 'fast-check'
import type { Reply } from '../../support/http/client.js'
import { idleEnd } from '../logins.js'
import { deleteAccount, endSessions, idOf, listSessions, type Ending } from '../own-account.js'
import { step, worded, type Step } from '../play.js'
import type { World } from '../world.js'
import {
  accountAt,
  addressOf,
  at,
  client,
  index,
  jarOf,
  network,
  pairOfChoices,
  presentedOf,
} from './choices.js'
import { exchange } from './identity.js'
import { passwordOf, passwords } from './passwords.js'

const SESSIONS = '/api/auth/sessions'
const credentials = { who: client, held: pairOfChoices }

/** The whole list, page by page. */
export const sessionLists: fc.Arbitrary<Step> = fc
  .record({ ...credentials, limit: fc.constantFrom(1, 2, 100) })
  .map(({ who, held, limit }) =>
    step('list sessions', async (world, place) => {
      const jar = jarOf(world, who)
      const presented = presentedOf(world, jar, held)
      const line = `client ${who}: list sessions with ${worded(presented)}`
      const sent = { jar, line, method: 'GET', presented, from: addressOf(place.history, 0) }
      let path = `${SESSIONS}?limit=${limit}`
      for (const allowed of listSessions(world, presented, limit))
        path = nextOf(await exchange(world, place, { ...sent, path, allowed }))
    }),
  )

/** The address that the reply tells of the page after it. */
function nextOf({ headers }: Reply): string {
  const next = headers['x-next']?.toString()
  return next === undefined ? SESSIONS : next.slice(next.indexOf('/api/'))
}

type Which = 'others' | 'any' | 'newest' | 'forged' | 'none'
const which = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Which>('others') },
  { weight: 8, arbitrary: fc.constantFrom<Which>('any', 'newest') },
  { weight: 1, arbitrary: fc.constantFrom<Which>('forged', 'none') },
)

function endingAt({ logins }: World, kind: Which, position: number): Ending {
  if (kind === 'none') return undefined
  if (kind === 'others' || kind === 'forged') return kind
  return (kind === 'newest' ? logins.at(-1) : at(logins, position)) ?? 'forged'
}

/** In the place of an id that no session has. */
const NO_SESSION = 'A'.repeat(22)

export const sessionEnds: fc.Arbitrary<Step> = fc
  .record({ ...credentials, which, position: index })
  .map(({ who, held, which: kind, position }) =>
    step('end sessions', async (world, place) => {
      const ending = endingAt(world, kind, position)
      const login = typeof ending === 'object' ? ending : undefined
      // Of one whose time has run out nothing says whether it is still there to be ended.
      if (login && world.now >= idleEnd(world, login)) return
      const jar = jarOf(world, who)
      const presented = presentedOf(world, jar, held)
      const line = `client ${who}: end ${login?.name ?? kind} with ${worded(presented)}`
      const id = login ? idOf(login) : NO_SESSION
      const json = kind === 'none' ? {} : kind === 'others' ? { others: true } : { id }
      const sent = { jar, line, path: `${SESSIONS}/end`, presented, from: addressOf(place.history, 0), json }
      await exchange(world, place, { ...sent, allowed: endSessions(world, presented, ending) })
    }),
  )

export const deletions: fc.Arbitrary<Step> = fc
  .record({ ...credentials, password: passwords, from: network })
  .map((chosen) =>
    step('delete-account', async (world, place) => {
      const jar = jarOf(world, chosen.who)
      const presented = presentedOf(world, jar, chosen.held)
      const { bearer } = presented
      const account = bearer && bearer !== 'forged' ? bearer.login.account : accountAt(world, 0)
      const json = { password: passwordOf(account, chosen.password) }
      const from = addressOf(place.history, chosen.from)
      const line = `client ${chosen.who}: delete-account, ${chosen.password} password, from ${from}, ${worded(presented)}`
      const allowed = deleteAccount(world, { ...json, network: from, ...presented })
      await exchange(world, place, {
        jar,
        line,
        path: '/api/auth/delete-account',
        presented,
        from,
        json,
        allowed,
      })
    }),
  )
