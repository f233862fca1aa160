import { expect } from 'chai'
import { runScript, withPlanted, type Ending } from '../support/project.js'

const GATE = 'scripts/check-layers.js'
const A_THING = 'export const thing = 1\n'
const MANIFEST = JSON.stringify({ type: 'module', dependencies: { koa: '*', jose: '*', inversify: '*' } })

/** A valid tree: every layer imports the next inner layer. */
const SOUND = {
  'package.json': MANIFEST,
  'node_modules/koa/package.json': '{"name":"koa","exports":{"import":"./index.js"}}',
  'node_modules/koa/index.js': '',
  'node_modules/jose/package.json': '{"name":"jose","main":"index.js"}',
  'node_modules/jose/index.js': '',
  'node_modules/inversify/package.json': '{"name":"inversify","main":"index.js"}',
  'node_modules/inversify/index.js': '',
  'src/domain/pet.ts': A_THING,
  'src/ports/pets.ts': `import '../domain/pet.js'\n${A_THING}`,
  'src/application/read-pet.ts': `import '../ports/pets.js'\n${A_THING}`,
  'src/contracts/pets.ts': `import '../ports/pets.js'\nimport 'node:assert/strict'\n${A_THING}`,
  'src/http/refusal-status.ts': A_THING,
  'src/http/login.ts': `import '../application/read-pet.js'\nimport '../configuration/settings.js'\n${A_THING}`,
  'src/adapters/node/listener.ts': `import 'node:http'\n${A_THING}`,
  'src/adapters/koa/server.ts': `import 'koa'\nimport '../../http/login.js'\nimport '../node/listener.js'\n${A_THING}`,
  'src/adapters/memory/pets.ts': `import '../../ports/pets.js'\n${A_THING}`,
  'src/configuration/settings.ts': `import '../ports/pets.js'\nimport 'node:fs'\n${A_THING}`,
  'src/configuration/opened-file.ts': A_THING,
  'src/adapters/blocklist/list.ts': `import '../../configuration/opened-file.js'\n${A_THING}`,
  'src/adapters/optional-package.ts': A_THING,
  'src/adapters/oclif/serve.ts': `import '../../http/refusal-status.js'\nimport '../optional-package.js'\n${A_THING}`,
  'src/composition-root/container.ts': "import 'inversify'\nimport '../adapters/koa/server.js'\n",
  'src/embedding/open.ts': `import '../composition-root/container.js'\n${A_THING}`,
  'src/program/main.ts': `import '../composition-root/container.js'\n${A_THING}`,
  'src/client/call.ts': A_THING,
  'src/index.ts': "import './embedding/open.js'\n",
}

const ERRORS: readonly (readonly [rule: string, file: string, imported: string])[] = [
  ['domain-imports-domain', 'src/domain/a.ts', '../ports/pets.js'],
  ['domain-imports-domain', 'src/domain/b.ts', 'node:crypto'],
  ['domain-imports-domain', 'src/domain/c.ts', 'koa'],
  ['ports-import-domain', 'src/ports/a.ts', '../application/read-pet.js'],
  ['application-imports-ports-and-domain', 'src/application/a.ts', '../adapters/memory/pets.js'],
  ['application-imports-ports-and-domain', 'src/application/b.ts', 'node:crypto'],
  ['contracts-import-ports-and-domain', 'src/contracts/a.ts', '../application/read-pet.js'],
  ['contracts-import-ports-and-domain', 'src/contracts/b.ts', 'node:fs'],
  ['configuration-imports-inwards', 'src/configuration/a.ts', '../adapters/memory/pets.js'],
  ['configuration-imports-inwards', 'src/configuration/b.ts', '../application/read-pet.js'],
  ['http-imports-inwards', 'src/http/a.ts', '../adapters/koa/server.js'],
  ['http-imports-inwards', 'src/http/b.ts', 'node:fs'],
  ['http-imports-inwards', 'src/http/c.ts', '../configuration/a.js'],
  ['pages-import-the-client', 'src/http/admin-page/a.js', '../login.js'],
  ['hosts-import-http-and-inwards', 'src/adapters/koa/a.ts', '../memory/pets.js'],
  ['hosts-import-http-and-inwards', 'src/adapters/koa/b.ts', '../../contracts/pets.js'],
  ['hosts-import-http-and-inwards', 'src/adapters/web/a.ts', '../node/listener.js'],
  ['hosts-import-http-and-inwards', 'src/adapters/node/a.ts', '../koa/server.js'],
  ['adapters-import-inwards', 'src/adapters/memory/c.ts', '../../http/login.js'],
  ['adapters-import-inwards', 'src/adapters/memory/d.ts', '../../http/refusal-status.js'],
  ['adapters-import-inwards', 'src/adapters/memory/e.ts', '../../configuration/settings.js'],
  ['adapters-import-inwards', 'src/adapters/oclif/a.ts', '../../http/login.js'],
  ['adapters-import-inwards', 'src/adapters/oclif/b.ts', '../node/listener.js'],
  ['only-the-root-is-wired', 'src/adapters/koa/c.ts', '../../composition-root/container.js'],
  ['the-root-knows-no-embedding', 'src/composition-root/d.ts', '../embedding/open.js'],
  ['the-root-knows-no-embedding', 'src/program/a.ts', '../embedding/open.js'],
  ['nothing-imports-the-program', 'src/embedding/b.ts', '../program/main.js'],
  ['nothing-imports-the-program', 'src/composition-root/e.ts', '../program/main.js'],
  ['client-imports-itself', 'src/client/a.ts', '../domain/pet.js'],
  ['client-imports-itself', 'src/client/b.ts', 'node:fs'],
  ['nothing-imports-the-entry', 'src/composition-root/a.ts', '../index.js'],
  ['src-imports-src', 'src/composition-root/b.ts', '../../test/probe.js'],
  ['koa-only', 'src/adapters/memory/a.ts', 'koa'],
  ['jose-only', 'src/composition-root/c.ts', 'jose'],
  ['composition-root-only', 'src/adapters/memory/b.ts', 'inversify'],
  ['no-circular-imports', 'src/domain/d.ts', './d2.js'],
  ['no-unresolved-imports', 'src/adapters/koa/d.ts', './missing.js'],
]

function faultyTree(): Record<string, string> {
  const faulty = ERRORS.map(([, file, imported]) => [file, `import '${imported}'\n${A_THING}`] as const)
  const others = { 'src/domain/d2.ts': `import './d.js'\n${A_THING}`, 'test/probe.ts': A_THING }
  return { ...SOUND, ...others, ...Object.fromEntries(faulty) }
}

const endingFor = (files: Readonly<Record<string, string>>) =>
  withPlanted(files, (folder) => runScript(GATE, [folder]))

describe('the layer gate', () => {
  let faulty: Ending

  before(async () => {
    faulty = await endingFor(faultyTree())
  })

  for (const [rule, file, imported] of ERRORS) {
    it(`prevents ${file} from importing ${imported}`, () => {
      const found = faulty.lines.filter((line) => line.startsWith(`${rule}: ${file} -> `))
      expect(found, faulty.lines.join('\n')).to.have.length(1)
      expect(faulty.status).to.equal(1)
    })
  }

  it('detects a type-only import', async () => {
    const text = "import type { thing } from '../ports/pets.js'\nexport type Thing = typeof thing\n"
    const { status, lines } = await endingFor({ ...SOUND, 'src/domain/a.ts': text })
    expect(lines[0]).to.equal('domain-imports-domain: src/domain/a.ts -> src/ports/pets.ts')
    expect(status).to.equal(1)
  })

  it('accepts a valid tree', async () => {
    expect(await endingFor(SOUND)).to.deep.equal({
      status: 0,
      lines: ['19 of 19 sources read, 0 violations'],
    })
  })

  it('fails if there are no sources to check', async () => {
    const { status } = await endingFor({ 'package.json': MANIFEST, 'src/read-me.txt': '' })
    expect(status).to.equal(1)
  })
})
