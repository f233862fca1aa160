import { execFile } from 'node:child_process'
import { cpSync, readFileSync, writeFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import type { Store } from '../../src/ports/store.js'
import { addPet } from '../../src/contracts/arrangements.js'
import { fill } from '../../src/contracts/copyable-records/arrangements.js'
import { aPet, NOW, pageLimitOf } from '../../src/contracts/samples.js'
import { PROJECT } from '../support/project.js'
import { installBuilt } from '../support/built-package.js'
import { makeTemporaryFolder } from '../support/temporary-folder.js'
import { rotating } from '../support/rotation.js'
import { blocksOf } from '../support/pages/blocks.js'

/** The example in a separate folder, where `kennel-id` is the package built from these sources. */
type ExampleCopy = {
  readonly folder: string
  /** Replaces a string that occurs exactly once in a file of the copy. */
  change(file: string, text: string, by: string): void
  open(path: string): Promise<Store>
  /** Runs a Node program, and waits for its end. */
  run(args: readonly string[]): Promise<{ readonly code: number; readonly output: string }>
  remove(): void
}

function copyExample(): ExampleCopy {
  const { path: folder, remove } = makeTemporaryFolder()
  cpSync(join(PROJECT, 'examples', 'custom-store'), folder, { recursive: true })
  const entries = { '.': 'index', './ports': 'ports/index', './contracts': 'contracts/index' }
  installBuilt(folder, entries, ['mocha'])
  return {
    folder,
    change(file, text, by) {
      const path = join(folder, file)
      const before = readFileSync(path, 'utf8')
      expect(before.split(text), `${text} is in ${file} once`).to.have.lengthOf(2)
      writeFileSync(path, before.replace(text, by))
    },
    async open(path) {
      const module = (await import(pathToFileURL(join(folder, 'json-file-store.js')).href)) as {
        openJsonFileStore(path: string): Promise<Store>
      }
      return await module.openJsonFileStore(path)
    },
    run: (args) => runNode(folder, args),
    remove,
  }
}

function runNode(cwd: string, args: readonly string[]): ReturnType<ExampleCopy['run']> {
  // Without this variable, the test runner prints its results instead of reporting them to a parent runner.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  return new Promise((resolve) => {
    const options = { cwd, env, maxBuffer: 64 * 1024 * 1024 }
    const child = execFile(process.execPath, args, options, (_error, stdout, stderr) => {
      resolve({ code: child.exitCode ?? -1, output: `${stdout}${stderr}` })
    })
  })
}

const MOCHA = join(PROJECT, 'node_modules', 'mocha', 'bin', 'mocha.js')

type Count = { readonly passed: number; readonly failed: readonly string[] }

/** For each file of laws, the arguments that run it, and a function that counts its results. test/packed checks that all laws pass. */
const RUNNERS = {
  'laws.test.js': { args: ['--test', '--test-reporter', 'tap', 'laws.test.js'], count: countTap },
  'laws.mocha.js': { args: [MOCHA, '--reporter', 'json', 'laws.mocha.js'], count: countJson },
} as const

describe('the example custom-store', () => {
  let example: ExampleCopy
  beforeEach(() => {
    example = copyExample()
  })
  afterEach(() => example.remove())

  for (const [file, { args, count }] of rotating(Object.entries(RUNNERS), 1)) {
    it(`reports with ${file} which law the store broke, as shown on the page`, async () => {
      waitBetweenLookAndInsert(example)
      const { code, output } = await example.run(args)
      expect(count(output).failed).to.deep.equal([
        'pets: 16 concurrent inserts with the same idempotency key create one pet',
        'pets: 16 concurrent inserts with the same expired idempotency key create one pet',
        'pets: if two different requests race for an idempotency key, one creates a pet and the other is rejected',
      ])
      expect(code).to.be.above(0)
      const [shown] = blocksOf('docs/embed/run-laws.md').filter(({ language }) => language === 'text law')
      const lines = shown?.text.match(/^(pets: |[+-] {3}).*$/gm) ?? []
      expect(lines).to.have.lengthOf(4)
      for (const line of lines) expect(output).to.contain(line)
    })

    it(`fails with ${file} if there are no laws`, async () => {
      const none = 'data:text/javascript,export const storeLaws = []'
      example.change(file, "'kennel-id/contracts'", `'${none}'`)
      const { code, output } = await example.run(args)
      expect(count(output)).to.deep.equal({ passed: 0, failed: ['is tested by at least one law'] })
      expect(code).to.be.above(0)
    })
  }

  describe('has a store that', () => {
    let path: string
    let store: Store
    beforeEach(async () => {
      path = join(example.folder, 'store.json')
      store = await example.open(path)
    })
    afterEach(() => store.close())

    it('has written every acknowledged write to its file, even if the process is then killed', async () => {
      await fill(store)
      const again = await example.open(path)
      expect(await contentOf(again)).to.deep.equal(await contentOf(store))
      const { accounts } = JSON.parse(readFileSync(path, 'utf8')) as { accounts: unknown[] }
      expect(accounts).to.have.lengthOf(3)
      expect(await addPet(again, aPet('Mia'))).to.equal(5)
      await again.close()
    })

    it('makes the file unreadable for other users', async () => {
      await fill(store)
      expect(statSync(path).mode & 0o077).to.equal(0)
    })

    it('does not open a damaged file', async () => {
      writeFileSync(path, '{"accounts": [')
      const failure: unknown = await example.open(path).catch((error: unknown) => error)
      expect(failure).to.be.instanceOf(SyntaxError)
      expect(readFileSync(path, 'utf8')).to.equal('{"accounts": [')
    })
  })
})

/** Plants the mistake that the page explains. */
function waitBetweenLookAndInsert(example: ExampleCopy): void {
  const answering = 'const answer = copyOf(step(...copyOf(args)))'
  const waiting = `const given = step(...copyOf(args))
    const answer = copyOf(given instanceof Promise ? await given : given)`
  example.change('json-file-store.js', answering, waiting)
  example.change('ports/pets.js', 'insert(draft, idempotency) {', 'async insert(draft, idempotency) {')
  const inserting = "const id = nextId(state, 'pets')"
  example.change('ports/pets.js', inserting, `await undefined\n${inserting}`)
}

async function contentOf(store: Store): Promise<unknown> {
  const accounts = await store.accounts.page(undefined, 10)
  return {
    accounts,
    sessions: await store.sessions.pageOf({ accountId: accounts[0]!.id, limit: 10, at: NOW }),
    pets: await store.pets.page(undefined, pageLimitOf(10)),
    audit: await store.audit.page({ limit: 10 }),
  }
}

function countTap(output: string): Count {
  const failed = Array.from(output.matchAll(/^ {4}not ok \d+ - (.*)$/gm), ([, title = '']) => title)
  return { passed: Number(/^# pass (\d+)$/m.exec(output)?.[1]), failed }
}

function countJson(output: string): Count {
  const { stats, failures } = JSON.parse(output) as {
    stats: { passes: number }
    failures: readonly { title: string }[]
  }
  return { passed: stats.passes, failed: failures.map(({ title }) => title) }
}
