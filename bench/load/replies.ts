import type { Request } from 'autocannon'
import type { Credentials, Requests } from './contestants.js'

export type CheckedReply = { readonly status: number; readonly body: string; readonly cookie?: string }

/** Sends one request as the load would. */
export async function send(address: string, request: Request): Promise<CheckedReply> {
  const { method = 'GET', path = '/', headers, body } = request
  const reply = await fetch(address + path, {
    method,
    headers: headers as Record<string, string>,
    ...(body !== undefined && { body: body as string }),
  })
  const [cookie] = reply.headers.getSetCookie().map((line) => line.split(';')[0])
  return { status: reply.status, body: await reply.text(), ...(cookie !== undefined && { cookie }) }
}

/** Throws unless each client gets its own identity, and no identity with other credentials. */
export async function checkIdentities(
  address: string,
  identity: Requests['identity'],
  clients: readonly (Credentials & { readonly email: string })[],
): Promise<void> {
  for (const client of clients) {
    const right = await send(address, identity(client))
    if (right.status !== 200 || !right.body.includes(client.email))
      throw new Error(`${address} answers ${client.email} with ${right.status}: ${right.body}`)
    const wrong = await send(address, identity(tampered(client)))
    if (wrong.body.includes(client.email))
      throw new Error(`${address} accepts wrong credentials of ${client.email}`)
  }
}

/** The same credentials with other last characters in each cookie and in the token. */
export function tampered({ cookie, accessToken, ...rest }: Credentials): Credentials {
  return {
    ...rest,
    ...(cookie !== undefined && { cookie: cookie.split('; ').map(otherEnd).join('; ') }),
    ...(accessToken !== undefined && { accessToken: otherEnd(accessToken) }),
  }
}

const END_LENGTH = 6

function otherEnd(text: string): string {
  const [one, other] = ['A', 'B'].map((letter) => letter.repeat(END_LENGTH))
  return text.slice(0, -END_LENGTH) + String(text.endsWith(String(one)) ? other : one)
}
