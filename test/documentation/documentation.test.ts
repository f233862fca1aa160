import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import { COMMANDS } from '../../src/composition-root/commands.js'
import { makeWorkplace, type Outcome, type Workplace } from '../cli/app.js'
import { blocksOf, pages } from './blocks.js'

/** Commands that are run by every test run and by continuous integration itself, or by another test. */
const SETUP = ['npm ci && npm start\n', 'npm ci && npm test\n', 'npm run bench\n']

describe('documentation', () => {
  it('has no block that no test runs', () => {
    const all = pages().flatMap(blocksOf)
    expect(all.length).to.be.greaterThan(5)
    const idle = all.filter(({ language, text: code }) => language !== 'sh walk' && !SETUP.includes(code))
    expect(idle).to.deep.equal([])
  })

  it('shows every command in a block that is run', () => {
    const walks = pages()
      .flatMap(blocksOf)
      .filter(({ language }) => language === 'sh walk')
      .map((one) => one.text)
    const commands = Object.keys(COMMANDS).map((id) => `bin/app.js ${id.replaceAll(':', ' ')}`)
    expect(commands.length).to.be.greaterThan(15)
    expect(commands.filter((command) => !walks.some((walk) => walk.includes(command)))).to.deep.equal([])
  })

  it('links only to pages and files that exist', () => {
    for (const page of pages()) {
      const links = readFileSync(page, 'utf8').matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g)
      for (const [, target = ''] of links) {
        expect(existsSync(normalize(join(dirname(page), target))), `${page} links to ${target}`).to.equal(
          true,
        )
      }
    }
  })

  describe('walks', () => {
    let place: Workplace

    beforeEach(async () => {
      place = await makeWorkplace()
      mkdirSync(join(place.folder, 'bin'))
      symlinkSync(join(process.cwd(), 'bin', 'app.js'), join(place.folder, 'bin', 'app.js'))
    })
    afterEach(() => place.remove())

    it('the README, word for word', async () => {
      const { origin, child, ended } = await place.serve()
      const { code, stdout, stderr } = await walk(place, 'README.md', { APP: origin })
      child.kill('SIGTERM')
      expect([code, await ended], stderr).to.deep.equal([0, 0])
      const said = stdout.trim()
      expect(said.match(/"errors":\[\],"save":1/g)).to.have.length(3)
      expect(said).to.contain('"loggedIn":true').and.to.contain('"project-editor"')
      expect(said).to.contain('"saved":true').and.to.contain('HTTP/1.1 201 Created')
      expect(said).to.contain('[{"id":1,"name":"Rex"}]')
      expect(said).to.contain('{"id":1,"name":"Rex","bark":true,"breed":"Beagle"}')
      expect(said.endsWith('"code":401}],"roleList":{},"groupList":{},"typeList":{}}}')).to.equal(true)
    })

    for (const page of pages().filter((one) => one !== 'README.md')) {
      if (!blocksOf(page).some(({ language }) => language === 'sh walk')) continue
      it(`${page}, every command of it`, async () => {
        const { code, stderr } = await walk(place, page, {})
        expect(code, stderr).to.equal(0)
      })
    }
  })
})

/** All walk blocks of a page in one shell, in a folder that looks like the checkout. */
async function walk(place: Workplace, page: string, env: Record<string, string>): Promise<Outcome> {
  const script = blocksOf(page)
    .filter(({ language }) => language === 'sh walk')
    .map((one) => one.text)
  const child = spawn('bash', ['-euo', 'pipefail', '-c', script.join('\n')], {
    cwd: place.folder,
    env: { ...place.env, ...env },
  })
  child.stdin.end()
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ])
  return { code, stdout, stderr }
}
