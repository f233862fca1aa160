import { expect } from 'chai'
import { writeFileSync } from 'node:fs'
import { readEnvironment } from '../../src/configuration/environment.js'
import { SECRETS, SETTINGS, VARIABLES } from '../../src/configuration/settings.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { GOOD_PASSPHRASE, judged, linesOf, PRODUCTION, type Texts } from './reading.js'
import fc from 'fast-check'
import { isOneEditApart } from '../../src/domain/messages.js'
import { isServiceLink, misspellings } from '../../src/configuration/from-environment.js'

const BASES: Readonly<Record<string, Texts>> = { local: {}, production: PRODUCTION }

/** The contents of the files that the table's variables name. */
const FILES: Readonly<Record<string, string | Uint8Array>> = {
  empty: '',
  weak: 'weak\n',
  document: '{"passphrase":"x"}',
  good: `${GOOD_PASSPHRASE}\n`,
  quoted: `"${GOOD_PASSPHRASE}"\n`,
  bracket: '["a"',
  memory: 'memory:\n',
  '<wrong>': '{"roles": {"a": {"inherit": ["b"]}}}',
  '<no json>': '{"roles": {,}}',
  '<reset for everyone>': '{"roles":{"everyone":{"components":{"auth":["reset-password"]}}}}',
  '<all for everyone>': '{"roles":{"everyone":{"components":{"auth":["*"]}}}}',
  '<login only>': '{"roles":{"everyone":{"components":{"auth":["login"]}}}}',
}

/**
 * Rules that involve several settings, and inputs that are not values: secret files, misspelt names, and Kubernetes Services. Each line has
 * `local` or `production`, the variables that differ from this base, and the outcome: `accepted` with the warnings, or the errors.
 */
describe('rules that involve several settings', () => {
  const folder = temporaryFolder()
  beforeEach(() => {
    for (const [name, content] of Object.entries(FILES)) writeFileSync(folder(name), content)
  })

  function outcomeOf(base: string, given: Readonly<Record<string, string | null>>): readonly string[] {
    // `null` unsets a variable; a value such as `<wrong>` stands for the path of the file with that name.
    const textOf = (value: string | null) => (value?.startsWith('<') ? folder(value) : (value ?? undefined))
    const changes = Object.entries(given).map(([name, value]) => [name, textOf(value)] as const)
    const { variables, errors } = readEnvironment({
      secrets: SECRETS.map((name) => SETTINGS[name].variable),
      folder: folder(),
      variables: { ...BASES[base], ...Object.fromEntries(changes) },
    })
    const outcome = judged(variables, errors)
    return outcome.ok ? ['accepted', ...outcome.warnings] : outcome.errors
  }

  it('produce the results in the table', () => {
    const lines = linesOf('test/configuration/rules.tsv')
    const found = lines.map((line) => {
      const [base = '', given = ''] = line.split('\t')
      return [base, given, ...outcomeOf(base, JSON.parse(given) as Record<string, string | null>)].join('\t')
    })
    expect(lines).to.have.length.above(80)
    expect(found.filter((line, at) => line !== lines[at])).to.deep.equal([])
  })
})

describe('a misspelt name', () => {
  it('is not reported for variables that a shell, npm or a container sets', () => {
    const usual = `HOME HOSTNAME HOSTTYPE LANG LANGUAGE LOGNAME MAIL NODE NODE_OPTIONS NODE_PATH OLDPWD PATH
      PWD SHELL SHLVL TERM TMPDIR TZ USER COLORTERM EDITOR PAGER DEBUG CI INIT_CWD UV_THREADPOOL_SIZE
      NODE_VERSION YARN_VERSION KUBERNETES_PORT KUBERNETES_SERVICE_HOST KUBERNETES_SERVICE_PORT`
    expect(misspellings(usual.split(/\s+/), VARIABLES)).to.deep.equal([])
  })

  it('is reported with the same suggestion as if the name were compared with every known name', () => {
    const unit = fc.constantFrom('A', 'B', '_')
    const short = fc.string({ unit, maxLength: 4 })
    fc.assert(
      fc.property(short, fc.array(short, { maxLength: 8 }), (name, known) => {
        const meant = known.includes(name) ? undefined : known.find((one) => isOneEditApart(name, one))
        expect(misspellings([name], known)).to.deep.equal(
          meant === undefined ? [] : [`${name} is unknown; did you mean ${meant}?`],
        )
      }),
      { numRuns: 20_000 },
    )
  })
})

describe('a variable that Kubernetes sets for a Service', () => {
  it('is recognized by an address with a protocol and a port', () => {
    const links = ['tcp://10.0.0.1:9090', 'udp://10.0.0.1:53', 'sctp://10.0.0.1:7', 'tcp://[fd00::1]:80']
    const others = [
      '9090',
      '',
      '10.0.0.1:9090',
      'http://10.0.0.1:80',
      'tcp://10.0.0.1',
      'tcp://10.0.0.1:80/x',
    ]
    const all = [undefined, ...others, 'mongodb://10.0.0.1:27017', ...links]
    expect(all.filter(isServiceLink)).to.deep.equal(links)
  })
})
