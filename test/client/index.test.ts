import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { createKennelClient } from '../../src/client/index.js'
import { PROJECT } from '../support/project.js'

/** Functions that Safari 15.0, Chrome 100 or Firefox 100 lacks, each as an object and a function name. */
const NEWER: readonly (readonly [object, string])[] = [
  [URL, 'canParse'],
  [AbortSignal, 'timeout'],
  [AbortSignal, 'any'],
  [globalThis, 'BroadcastChannel'],
  [globalThis, 'structuredClone'],
]
/** Syntax and further functions that these browsers lack. */
const UNKNOWN =
  /\(\?<[=!]|static \{|\.(?:at|findLast|toSorted|toReversed|toSpliced|with)\(|\.(?:groupBy|hasOwn|withResolvers|randomUUID|fromAsync|try)\(/

describe('the client in the oldest supported browsers', () => {
  it('logs in, shares its login with other tabs and calls the service, without functions that these browsers lack', async () => {
    const taken = NEWER.map(
      ([owner, name]) => [owner, name, Object.getOwnPropertyDescriptor(owner, name)] as const,
    )
    for (const [owner, name] of taken) Reflect.deleteProperty(owner, name)
    try {
      const view = { jwt: 'a.e30.b', refreshToken: 'c', loggedIn: true, user: { id: 1 }, messages: [] }
      const fetch = async () => new Response(JSON.stringify({ code: 200, response: true, view }))
      const client = createKennelClient({ baseUrl: 'https://pets.example', fetch, tabs: 'login' })
      await client.login('ada@example.com', 'a long walk in the park')
      expect(await client.getIdentity()).to.have.nested.property('user.id', 1)
      client.close()
      expect(() => createKennelClient({ baseUrl: 'https://[' })).to.throw(TypeError, 'baseUrl')
    } finally {
      for (const [owner, name, descriptor] of taken)
        if (descriptor) Object.defineProperty(owner, name, descriptor)
    }
  })

  it('can be parsed, because the files use no newer syntax and no newer functions', () => {
    const folder = join(PROJECT, 'dist/src/client')
    const files = readdirSync(folder).filter((name) => name.endsWith('.js'))
    expect(files).to.have.length.above(10)
    const found = files.filter((name) => UNKNOWN.test(readFileSync(join(folder, name), 'utf8')))
    expect(found).to.deep.equal([])
  })
})
