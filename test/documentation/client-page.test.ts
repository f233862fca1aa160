import { execFile } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { DEFAULT_PERMISSIONS } from '../../src/domain/access/permissions.js'
import { plant } from '../support/project.js'
import { startService, type TestService } from '../support/http/service.js'
import { blocksOf } from '../support/pages/blocks.js'

const run = promisify(execFile)
const CLIENT = join(import.meta.dirname, '..', '..', 'src', 'client')
const MANIFEST = {
  name: 'kennel-id',
  type: 'module',
  exports: { './account': './client/account.js', './client': './client/index.js' },
}

const { roles } = DEFAULT_PERMISSIONS
const PERMISSIONS = { roles: { ...roles, 'project-editor': { components: { project: ['*'] } } } }

/** What the blocks of the page print as one program, in a folder where the client is installed. */
async function printed(baseUrl: string): Promise<string[]> {
  const blocks = blocksOf('docs/client.md').filter(({ language }) => language === 'js client')
  expect(blocks).to.have.length.greaterThan(4)
  const program = [`const baseUrl = ${JSON.stringify(baseUrl)}`, ...blocks.map(({ text }) => text)]
  const tree = plant({
    'page.mjs': program.join('\n'),
    'node_modules/kennel-id/package.json': JSON.stringify(MANIFEST),
  })
  try {
    symlinkSync(CLIENT, join(tree.folder, 'node_modules', 'kennel-id', 'client'), 'junction')
    const { stdout, stderr } = await run(process.execPath, ['page.mjs'], {
      cwd: tree.folder,
      timeout: 120_000,
    })
    expect(stderr).to.equal('')
    return stdout.trim().split('\n')
  } finally {
    tree.remove()
  }
}

describe('the page of the client', () => {
  let service: TestService
  before(async () => {
    service = await startService({ permissions: PERMISSIONS })
    await service.account('ada@example.com', ['project-editor'])
  })
  after(() => service.close())

  it('does what it says, word for word', async () => {
    expect(await printed(service.origin)).to.deep.equal([
      "ada@example.com [ 'project-editor' ]",
      'ada@example.com',
      'true',
      'Kennel roof',
      '200',
      'true',
      '1',
      'ada@example.com',
      '0',
      'ada@example.com',
      'ada@example.com',
      'true',
      'Rex Beagle',
      '1',
      '412 Conflict 1 undefined',
    ])
  })

  it('has no block but those', () => {
    const others = blocksOf('docs/client.md').filter(({ language }) => language !== 'js client')
    expect(others).to.deep.equal([])
  })
})
