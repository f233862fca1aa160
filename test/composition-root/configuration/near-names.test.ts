import { expect } from 'chai'
import fc from 'fast-check'
import { isOneEditApart, misspelt } from '../../../src/composition-root/configuration/near-names.js'
import { KNOWN_NAMES } from '../../../src/composition-root/configuration/variables.js'

/** Optimal string alignment by its textbook table. */
function distance(one: string, other: string): number {
  const table = Array.from({ length: one.length + 1 }, (_, row) =>
    Array.from({ length: other.length + 1 }, (__, column) => (row === 0 ? column : column === 0 ? row : 0)),
  )
  for (let row = 1; row <= one.length; row += 1)
    for (let column = 1; column <= other.length; column += 1) {
      const same = one[row - 1] === other[column - 1] ? 0 : 1
      const ways = [
        table[row - 1]![column]! + 1,
        table[row]![column - 1]! + 1,
        table[row - 1]![column - 1]! + same,
      ]
      const swapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      if (row > 1 && column > 1 && swapped) ways.push(table[row - 2]![column - 2]! + 1)
      table[row]![column] = Math.min(...ways)
    }
  return table[one.length]![other.length]!
}

describe('one edit', () => {
  it('is what the textbook calls a distance of 1', () => {
    const word = fc.stringMatching(/^[ab_]{0,5}$/)
    fc.assert(
      fc.property(word, word, (one, other) => isOneEditApart(one, other) === (distance(one, other) === 1)),
      { numRuns: 2_000 },
    )
  })
})

describe('a misspelt name', () => {
  it('is told with the name that was meant', () => {
    const names = ['PASWORD_MIN_LENGTH', 'PROT', 'SECURITY_JWT_PASSPHRASE_FIL', 'PUBLIC_URL', 'EDITOR']
    expect(misspelt(names, KNOWN_NAMES)).to.deep.equal([
      'PASWORD_MIN_LENGTH is unknown; did you mean PASSWORD_MIN_LENGTH?',
      'PROT is unknown; did you mean PORT?',
      'SECURITY_JWT_PASSPHRASE_FIL is unknown; did you mean SECURITY_JWT_PASSPHRASE_FILE?',
    ])
  })

  it('is none of the names that a shell, npm or a container sets', () => {
    const usual = `HOME HOSTNAME HOSTTYPE LANG LANGUAGE LOGNAME MAIL NODE NODE_OPTIONS NODE_PATH OLDPWD PATH
      PWD SHELL SHLVL TERM TMPDIR TZ USER COLORTERM EDITOR PAGER DEBUG CI INIT_CWD UV_THREADPOOL_SIZE
      NODE_VERSION YARN_VERSION KUBERNETES_PORT KUBERNETES_SERVICE_HOST KUBERNETES_SERVICE_PORT`
    expect(misspelt(usual.split(/\s+/), KNOWN_NAMES)).to.deep.equal([])
  })

  it('is not looked for among the known names themselves', () => {
    expect(misspelt(KNOWN_NAMES, KNOWN_NAMES)).to.deep.equal([])
  })
})
