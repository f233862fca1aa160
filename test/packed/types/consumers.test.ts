import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { expect } from 'chai'
import { blocksOf } from '../../support/pages/blocks.js'
import { PROJECT, textOf } from '../../support/project.js'
import { CONSUMER } from './consumer.js'
import { installPackage, type Installed } from './installed.js'

const EXAMPLE = /@example\n *\* ```ts\n([^]*?) *\* ```\n/g

const OWN_MAILER = `
  import { mailerLaws, type MailerUnderTest, type ReceivedMail } from 'kennel-id/contracts'
  import type { Delivery, Mail, Mailer, MailText } from 'kennel-id/ports'
  const arrived: ReceivedMail[] = []
  const received = (to: string, { subject, text, html }: MailText): ReceivedMail => ({ to: [to], subject, text, html, headers: [] })
  const mailer: Mailer = {
    async send(mail: Mail): Promise<Delivery> {
      arrived.push(received(mail.to, mail))
      return { kind: 'sent' }
    },
    close: async () => undefined,
  }
  const tested: MailerUnderTest = { mailer, received: async () => arrived, disconnect: async () => undefined, secrets: [] }
  for (const law of mailerLaws) await law.check(tested)`

describe('the types of the package, with every entry point imported and every declaration checked', () => {
  let installed: Installed
  before(() => {
    installed = installPackage()
  })
  after(() => installed.remove())

  it('compile without exactOptionalPropertyTypes', () => {
    expect(
      installed.compile({ 'consumer.ts': CONSUMER }, { exactOptionalPropertyTypes: false }),
    ).to.deep.equal([])
  })

  it('include every use case of a full store, even without strictNullChecks', () => {
    const program = `
      import { openKennel } from 'kennel-id'
      import { createMemoryStore } from 'kennel-id/memory'
      import { combineStores } from 'kennel-id'
      const { pets, ...others } = createMemoryStore()
      for (const store of [createMemoryStore(), combineStores(others, { pets })]) {
        const kennel = await openKennel({ store, passphrase: '…', publicUrl: 'https://kennel.example' })
        await kennel.listPets({ caller: { kind: 'anonymous' }, after: undefined, limit: undefined })
      }
      const without = await openKennel({ store: others, passphrase: '…', publicUrl: 'https://kennel.example' })
      export const absent = without.listPets`
    const said = installed.compile(
      { 'loose.ts': program },
      { strict: false, exactOptionalPropertyTypes: false },
    )
    expect(said.map(({ message }) => message.split(' on type')[0])).to.deep.equal([
      "Property 'listPets' does not exist",
    ])
  })

  it('match the pages for authors of stores and permissions', () => {
    const pages = ['docs/embed/store-types.md', 'docs/embed/callers.md']
    const blocks = pages.flatMap((page) => blocksOf(page).filter(({ language }) => language === 'ts'))
    const files = Object.fromEntries(blocks.map(({ text }, index) => [`block-${index}.ts`, text]))
    expect(Object.keys(files)).to.have.length(2)
    expect(installed.compile(files, { noUncheckedIndexedAccess: true })).to.deep.equal([])
  })

  it('match the examples in the comments of exported functions', () => {
    const comments = readdirSync(join(PROJECT, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .flatMap((path) => [...readFileSync(join(PROJECT, 'src', path), 'utf8').matchAll(EXAMPLE)])
    const texts = comments.map(([, lines = '']) => lines.replaceAll(/^ *\* ?/gm, ''))
    const files = Object.fromEntries(texts.map((text, index) => [`comment-${index}.ts`, text]))
    expect(texts).to.have.length.above(7)
    expect(installed.compile(files)).to.deep.equal([])
  })

  it('match the store skeleton that authors fill in', () => {
    const files = { 'store.ts': textOf('examples', 'store-skeleton', 'store.ts') }
    expect(installed.compile(files, { noUncheckedIndexedAccess: true })).to.deep.equal([])
  })

  it('include everything that authors of a mailer, or of tests for a mailer, need', () => {
    expect(installed.compile({ 'mailer.ts': OWN_MAILER })).to.deep.equal([])
  })

  it('are tested here with imports from every entry point', () => {
    const { exports } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as { exports: object }
    const entries = Object.keys(exports).filter((path) => path !== './package.json')
    const imported = [...CONSUMER.matchAll(/from '(kennel-id[^']*)'/g)].map(([, name]) => name)
    expect(imported.sort()).to.deep.equal(entries.map((path) => posix.join('kennel-id', path)).sort())
  })
})
