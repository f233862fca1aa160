import { ask, type Headers, type Reply } from '../workplace/reply.js'

/** The largest number of pets that a page can have. */
const LARGEST = 100

/** Follows `x-next` to the end: first in the largest pages, then in pages of 20 from the last large page. */
export async function lastPage(address: string, headers: Headers): Promise<string> {
  let path = `/v1/pets?limit=${LARGEST}`
  for (let next = await nextOf(address, path, headers); next; next = await nextOf(address, next, headers)) {
    path = next
  }
  path = path.replace(`limit=${LARGEST}`, 'limit=20')
  for (let next = await nextOf(address, path, headers); next; next = await nextOf(address, next, headers)) {
    path = next
  }
  return path
}

async function nextOf(address: string, path: string, headers: Headers): Promise<string | undefined> {
  const reply: Reply = await ask(address + path, headers)
  const next = reply.headers.find(([name]) => name.toLowerCase() === 'x-next')?.[1]
  if (next === undefined) return undefined
  const { pathname, search } = new URL(next)
  return pathname + search
}
