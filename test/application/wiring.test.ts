import { expect } from 'chai'
import { missingFor } from '../../src/application/table.js'
import { OPERATION_TABLE, USE_CASE_TABLES } from '../../src/application/wiring.js'
import { OPTIONAL_PORTS } from '../../src/ports/store.js'

/** Returns all operations that cannot be created without this part. */
function absentWithout(part: string): readonly string[] {
  const absent = [OPERATION_TABLE, ...Object.values(USE_CASE_TABLES)].flatMap(({ rows }) => {
    const isGiven = (name: string) => !Object.hasOwn(rows, name) && name !== part
    return Object.keys(rows).filter(
      (name) => 'input' in (rows[name] ?? {}) && missingFor(name, rows, isGiven).length > 0,
    )
  })
  return [...new Set(absent)].sort()
}

describe('the use-case tables', () => {
  it('omit operations if the store lacks an optional port, but never omit the login', () => {
    for (const port of OPTIONAL_PORTS) {
      const absent = absentWithout(port === 'audit' ? 'auditLog' : port)
      if (port !== 'revocations' && port !== 'proofs') expect(absent, port).to.not.be.empty
      expect(absent, port).to.not.include.members(['login'])
    }
  })
})
