import { expect } from 'chai'
import { asRefusal } from '../../../src/adapters/sqlite/errors.js'
import { isTransient } from '../../../src/domain/refusal.js'

const errorOf = (errcode: number) => Object.assign(new Error('of SQLite'), { errcode })

describe('a SQLite error', () => {
  // Busy, busy in recovery, busy for a snapshot, locked.
  for (const code of [5, 261, 517, 6])
    it(`is transient if another process holds a lock: ${code}`, () => {
      expect(isTransient(asRefusal(errorOf(code)))).to.equal(true)
    })

  it('reports a full disk, even if only the shared memory file does not fit', () => {
    for (const code of [13, 4_874])
      expect(asRefusal(errorOf(code)))
        .to.have.property('detail')
        .that.includes('The disk of the database file is full')
    expect(asRefusal(errorOf(10)))
      .to.have.property('detail')
      .that.does.not.include('full')
  })

  // Not permitted, read only, damaged, full, not openable.
  for (const code of [3, 8, 11, 13, 14])
    it(`is permanent if only an operator can fix the cause: ${code}`, () => {
      const refusal = asRefusal(errorOf(code))
      expect(refusal).to.have.property('code', 'unavailable')
      expect(isTransient(refusal)).to.equal(false)
    })
})
