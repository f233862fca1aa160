import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import ts from 'typescript'
import { filesOf, runScript } from '../support/project.js'

/** The compiled project that this test is part of. */
const COMPILED = join(import.meta.dirname, '..', '..')
const CLIENT = join(COMPILED, 'src', 'client')
const SIZE_MAX = 5500

const modules = readdirSync(CLIENT).filter((name) => name.endsWith('.js'))
const textOf = (name: string) => readFileSync(join(CLIENT, name), 'utf8')

/** What a module imports when it runs. */
function importsOf(name: string): string[] {
  return ts.preProcessFile(textOf(name)).importedFiles.map(({ fileName }) => fileName)
}

describe('the modules of the client', () => {
  it('are those of its sources', () => {
    const sources = filesOf('src/client').map((file) => file.replace(/^src\/client\/(.+)\.ts$/, '$1.js'))
    expect(sources).to.include('index.js').and.to.have.length.greaterThan(5)
    expect(modules).to.have.members(sources)
  })

  it('import nothing but each other', () => {
    const imports = modules.flatMap(importsOf)
    expect(imports).to.include('./transport.js')
    expect(imports.filter((one) => !/^\.\/[a-z-]+\.js$/.test(one))).to.deep.equal([])
  })

  it(`are less than ${SIZE_MAX} bytes together, compressed`, () => {
    const compilerOptions = {
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.ESNext,
      removeComments: true,
    }
    const bare = modules.map((name) => ts.transpileModule(textOf(name), { compilerOptions }).outputText)
    const size = gzipSync(bare.join(''), { level: 9 }).length
    expect(size).to.be.within(2000, SIZE_MAX - 1)
  })
})

describe('the types of the client', () => {
  it('are those of the API description', async () => {
    const { status, lines } = await runScript('scripts/generate-client-types.js', ['--check', COMPILED])
    expect(lines).to.deep.equal([''])
    expect(status).to.equal(0)
  })
})
