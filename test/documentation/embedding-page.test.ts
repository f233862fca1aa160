import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { REFUSAL_CODES } from '../../src/domain/refusal.js'
import { STATUS_OF } from '../../src/domain/refusal-status.js'
import { plant, PROJECT } from '../support/project.js'
import { blocksOf } from '../support/pages/blocks.js'

const run = promisify(execFile)
const PAGE = 'docs/embedding.md'
const BUILT = join(import.meta.dirname, '..', '..', 'src')
const PASSPHRASE = 'Kennel1-embedded-by-this-page-only'

/** What the blocks of the page print as one program, in a folder where the package is installed. */
async function printed(): Promise<string[]> {
  const blocks = blocksOf(PAGE).filter(({ language }) => language === 'js embed')
  expect(blocks).to.have.length.greaterThan(10)
  const tree = plant({
    'page.mjs': blocks.map(({ text }) => text).join('\n'),
    'node_modules/kennel-id/package.json': readFileSync(join(PROJECT, 'package.json'), 'utf8'),
  })
  try {
    const dist = join(tree.folder, 'node_modules', 'kennel-id', 'dist')
    mkdirSync(dist)
    symlinkSync(BUILT, join(dist, 'src'), 'junction')
    const options = {
      cwd: tree.folder,
      env: { ...process.env, SECURITY_JWT_PASSPHRASE: PASSPHRASE },
      timeout: 120_000,
    }
    const { stdout, stderr } = await run(process.execPath, ['page.mjs'], options)
    expect(stderr).to.equal('')
    return stdout.trim().split('\n')
  } finally {
    tree.remove()
  }
}

describe('the page on embedding', () => {
  it('does what it says, word for word', async () => {
    expect(await printed()).to.deep.equal([
      'invalid-options 3',
      'ada@example.com 1',
      'sid=…; path=/; samesite=strict; httponly',
      'ada@example.com 0',
      'true true',
      'sid=; path=/; expires=Thu, 01 Jan 1970 00:00:00 GMT; samesite=strict; httponly',
      "login-failed [ { field: 'email', type: 'LoginFailed', message: 'Login Failed' } ]",
      '401 {"code":401,"message":"Invalid authentication token."}',
      "[ 'project-editor' ]",
      '1 0 1 true',
      'invoices list',
      'unauthenticated',
      'GET 200',
      'POST 403',
      '1 ada@example.com Reset your password',
      "[ 'user.create', 'reset.ask' ]",
      'kennel_logins_total{outcome="login-failed"} 1',
      '0',
      '200 1',
      '200',
      '200',
      '503',
      '1 ada@example.com',
    ])
  })

  it('has no block but those, and the installation', () => {
    const others = blocksOf(PAGE).filter(({ language }) => language !== 'js embed')
    expect(others.map(({ text }) => text)).to.deep.equal(['npm install kennel-id\n'])
  })

  it('lists every refusal with the status that our own routes answer', () => {
    const rows = readFileSync(PAGE, 'utf8').matchAll(/^\| `([a-z-]+)` .*\| (\d{3}) +\|$/gm)
    const listed = Array.from(rows, ([, code, status]) => [code, Number(status)])
    expect(listed).to.deep.equal(REFUSAL_CODES.map((code) => [code, STATUS_OF[code]]))
  })
})
