import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { build } from 'esbuild'
import ts from 'typescript'
import { createKennelClient } from '../../src/client/index.js'
import { filesOf } from '../support/project.js'

/** The compiled project that this test is part of. */
const COMPILED = join(import.meta.dirname, '..', '..')
const CLIENT = join(COMPILED, 'src', 'client')
/**
 * The number of bytes that a page loads for an entire entry point: one minified bundle of its exports, compressed with
 * the best gzip level.
 */
const SIZES = [
  { entry: 'index.js', max: 6400, exported: ['KennelError', 'createCookieJar', 'createKennelClient'] },
  { entry: 'account.js', max: 2920, exported: ['createAccount'] },
  { entry: 'admin.js', max: 3000, exported: ['createAdminClient'] },
]

const modules = readdirSync(CLIENT).filter((name) => name.endsWith('.js'))
const textOf = (name: string) => readFileSync(join(CLIENT, name), 'utf8')

/** The modules that a module imports at run time. */
function importsOf(name: string): string[] {
  return ts.preProcessFile(textOf(name)).importedFiles.map(({ fileName }) => fileName)
}

describe('the client modules', () => {
  it('exist for exactly the files in src/client', () => {
    const sources = filesOf('src/client').map((file) => file.replace(/^src\/client\/(.+)\.ts$/, '$1.js'))
    expect(sources).to.include('index.js').and.to.have.length.greaterThan(5)
    expect(modules).to.have.members(sources)
  })

  it('import only other client modules', () => {
    const imports = modules.flatMap(importsOf)
    expect(imports).to.include('./transport.js')
    expect(imports.filter((one) => !/^\.\/[a-z-]+\.js$/.test(one))).to.deep.equal([])
  })

  for (const { entry, max, exported } of SIZES)
    it(`bundle and compress to less than ${max} bytes if only ${entry} is imported`, async () => {
      const options = { bundle: true, minify: true, format: 'esm', write: false } as const
      const { outputFiles } = await build({ ...options, entryPoints: [join(CLIENT, entry)] })
      const [bundle] = outputFiles
      for (const name of exported) expect(bundle?.text).to.match(new RegExp(`export\\{.*\\b${name}\\b`))
      expect(gzipSync(bundle?.contents ?? '', { level: 9 }).length).to.be.within(max / 3, max - 1)
    })
})

/** Functions that Safari 15.0, Chrome 100 or Firefox 100 lacks, each as an object and a function name. */
const NEWER: readonly (readonly [object, string])[] = [
  [URL, 'canParse'],
  [AbortSignal, 'timeout'],
  [AbortSignal, 'any'],
  [globalThis, 'BroadcastChannel'],
  [globalThis, 'structuredClone'],
]
/** Matches syntax and other functions that these browsers lack. */
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
    expect(modules).to.have.length.above(10)
    expect(modules.filter((name) => UNKNOWN.test(textOf(name)))).to.deep.equal([])
  })
})
