import fc from 'fast-check'
import type { Reply } from '../../support/http/client.js'
import { basic } from '../../support/http/pet-calls.js'
import { isRefused, petCaller, type PetCredentials } from '../pets.js'
import { play, type Place, type Request } from '../play.js'
import type { Allowed } from '../reply.js'
import type { World } from '../world.js'
import { accountAt, addressOf, at, index, network } from './choices.js'
import { passwordOf, passwords, type PasswordChoice } from './passwords.js'

type Credentials = 'usual' | 'key' | 'basic' | 'both' | 'forged' | 'none'

/** What may come with a request to the pets; `usual` is as much as the configuration asks for. */
export const credentials = {
  scheme: fc.oneof(
    { weight: 24, arbitrary: fc.constant<Credentials>('usual') },
    { weight: 4, arbitrary: fc.constant<Credentials>('basic') },
    { weight: 2, arbitrary: fc.constantFrom<Credentials>('key', 'both', 'forged', 'none') },
  ),
  key: index,
  account: index,
  password: passwords,
  from: network,
}

export type Chosen = {
  readonly scheme: Credentials
  readonly key: number
  readonly account: number
  readonly password: PasswordChoice
  readonly from: number
}

const USUAL = { any: 'key', all: 'both' } as const

function credentialsOf(world: World, place: Place, chosen: Chosen): PetCredentials {
  const { password } = chosen
  const scheme = chosen.scheme === 'usual' ? USUAL[world.rules.petSecurity] : chosen.scheme
  const account = accountAt(world, chosen.account)
  const apiKey = scheme === 'forged' ? scheme : at(world.apiKeys, chosen.key)
  const hasKey = scheme !== 'basic' && scheme !== 'none'
  return {
    network: addressOf(place.history, chosen.from),
    ...(hasKey && { apiKey }),
    ...((scheme === 'basic' || scheme === 'both') && {
      basic: { email: account.email, password: passwordOf(account, password) },
    }),
  }
}

function headersOf({ apiKey, basic: pair, network: from }: PetCredentials): Record<string, string> {
  const key = apiKey === 'forged' ? 'made-up' : apiKey?.text
  return {
    'X-Forwarded-For': from,
    ...(key !== undefined && { 'X-API-Key': key }),
    ...(pair && { Authorization: basic(pair.email, pair.password) }),
  }
}

function wordsOf({ apiKey, basic: pair, network: from }: PetCredentials): string {
  const key = apiKey === undefined ? [] : [`key ${apiKey === 'forged' ? 'made up' : apiKey.id}`]
  return [...key, ...(pair ? [`basic of ${pair.email} "${pair.password}"`] : []), `from ${from}`].join(', ')
}

type Asked = Request & { readonly judge: (caller: { readonly scope: string }) => Allowed }

/** Sends it with these credentials, which are judged first. */
export async function exchange(
  world: World,
  place: Place,
  chosen: Chosen,
  { judge, ...asked }: Asked,
): Promise<Reply> {
  const presented = credentialsOf(world, place, chosen)
  const caller = petCaller(world, presented)
  const allowed = isRefused(caller) ? caller : judge(caller)
  const request = { ...asked, headers: { ...headersOf(presented), ...asked.headers } }
  const text = asked.json === undefined ? asked.body : JSON.stringify(asked.json)
  const body = text === undefined ? '' : ` ${String(text)}`
  const conditions = Object.entries(asked.headers ?? {}).map(([name, value]) => ` ${name}: ${String(value)},`)
  const line = `${asked.method} ${asked.path}${body},${conditions.join('')} ${wordsOf(presented)}`
  return await play(world, place, { line, request, allowed })
}
