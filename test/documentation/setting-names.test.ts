import { execFileSync } from 'node:child_process'
import { expect } from 'chai'
import { VARIABLES } from '../../src/configuration/settings.js'
import { PROJECT, textOf } from '../support/project.js'
import { TOOLS } from '../support/required-tools.js'

/** Names that look like our settings but are not, grouped by kind. */
const OTHERS = {
  'variables of the tests and the benchmarks': [
    ...Object.values(TOOLS).map(({ requiredBy }) => requiredBy),
    'MONGODB_URL',
    'MONGOMS_SYSTEM_BINARY',
    'NODE_BINARIES',
    'POSTGRES_BIN',
    'SYSTEMD_ANALYZE',
    'TEST_HOST',
    'TEST_MODE',
    'TEST_STORE',
    'TEST_TOKENS',
  ],
  'Node variables': ['NODE_OPTIONS'],
  'Node error codes': ['ERR_MODULE_NOT_FOUND'],
  'the setting that a page tells how to add': ['LOGIN_BANNER'],
}

const PAGES = /^(README\.md|docs\/.*\.md|examples\/[^/]+\/README\.md)$/
const CODE = /```[^]*?```|`[^`\n]+`/g
const NAME = /(?<![\w$.])[A-Z][A-Z0-9]+(?:_[A-Z0-9]+)+(?!\w)/g

/** Returns each name in a page's code that looks like a setting. */
function namesIn(text: string): string[] {
  const code = Array.from(text.matchAll(CODE), ([found]) => found)
  return [...new Set(code.flatMap((one) => one.match(NAME) ?? []))]
}

describe('setting names on pages', () => {
  const files = execFileSync('git', ['ls-files'], { cwd: PROJECT, encoding: 'utf8' }).split('\n')
  const named = files
    .filter((file) => PAGES.test(file))
    .flatMap((file) => namesIn(textOf(file)).map((name) => ({ file, name })))
  const constants = files
    .filter((file) => /^src\/.*\.ts$/.test(file))
    .flatMap((file) => Array.from(textOf(file).matchAll(/^export const ([A-Z]\w+)\b/gm), ([, name]) => name))
  const others: readonly string[] = Object.values(OTHERS).flat()

  it('refer to settings or exported constants, or are exceptions that this test lists', () => {
    const isKnown = (name: string) =>
      VARIABLES.includes(name) || constants.includes(name) || others.includes(name)
    expect(named.filter(({ name }) => !isKnown(name))).to.deep.equal([])
  })

  it('are found in code blocks and in lines of pages and examples', () => {
    const withUnderscore = VARIABLES.filter((name) => name.includes('_') && !name.endsWith('_FILE'))
    const onPage = named.filter(({ file }) => file === 'docs/operate/settings.md').map(({ name }) => name)
    expect(onPage).to.include.members(withUnderscore)
    for (const folder of ['docs/http/', 'docs/embed/', 'docs/contribute/', 'examples/']) {
      expect(
        named.some(({ file }) => file.startsWith(folder)),
        folder,
      ).to.equal(true)
    }
  })

  it('are detected if they are misspelled', () => {
    expect(namesIn('Set `LOGIN_LIMITS=off`.')).to.deep.equal(['LOGIN_LIMITS'])
    expect(namesIn('```sh walk\nPUBLIC_URI=x bin/app.js serve\n```')).to.deep.equal(['PUBLIC_URI'])
    expect(namesIn('- MAIL_URLS: `export TRUST_PROXI`')).to.deep.equal(['TRUST_PROXI'])
  })
})
