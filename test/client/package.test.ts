import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { build } from 'esbuild'
import ts from 'typescript'
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
