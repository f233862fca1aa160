import { expect } from 'chai'
import type { ApiKey, ApiKeyId } from '../../../src/domain/access/api-key.js'
import type { Instant } from '../../../src/domain/instant.js'
import { createNoteKeyUse, type NoteKeyUse } from '../../../src/application/access/authenticate-api-key.js'

const HOUR = 3_600_000
const NOON = Date.UTC(2026, 0, 2, 12)

function keyOf(id: number, lastUsedAt?: Instant): ApiKey {
  const key = { id: id as ApiKeyId, name: 'key', roles: [], createdAt: 0 }
  return Object.freeze(lastUsedAt === undefined ? key : { ...key, lastUsedAt })
}

describe('the last use of an API key', () => {
  let written: [number, Instant][]
  let noteUse: NoteKeyUse

  beforeEach(() => {
    written = []
    noteUse = createNoteKeyUse({
      recordUse: async (id, at) => {
        written.push([id, at])
        await Promise.resolve()
      },
    })
  })

  it('is stored once for all uses within an hour, as the start of that hour', () => {
    for (const minutes of [0, 1, 59.9]) noteUse(keyOf(7), NOON + minutes * 60_000)
    expect(written).to.deep.equal([[7, NOON]])
    noteUse(keyOf(7), NOON + HOUR)
    expect(written).to.deep.equal([
      [7, NOON],
      [7, NOON + HOUR],
    ])
  })

  it('is not stored if another process has already stored it, or if the clock is behind', () => {
    noteUse(keyOf(7, NOON), NOON + 1)
    noteUse(keyOf(7, NOON + HOUR), NOON + 1)
    expect(written).to.deep.equal([])
    noteUse(keyOf(7, NOON), NOON + HOUR)
    noteUse(keyOf(7, NOON), NOON)
    expect(written).to.deep.equal([[7, NOON + HOUR]])
  })

  it('is cached for up to a thousand keys, and the next key clears the cache', () => {
    const noteAll = (...ids: readonly number[]) => {
      for (const id of ids) noteUse(keyOf(id), NOON)
      return written.length
    }
    const thousand = Array.from({ length: 1_000 }, (_, index) => index + 1)
    expect([noteAll(...thousand), noteAll(...thousand)]).to.deep.equal([1_000, 1_000])
    expect([noteAll(1_001, 1_001), noteAll(1, 1)]).to.deep.equal([1_001, 1_002])
  })

  for (const [how, recordUse] of [
    ['rejects', () => Promise.reject(new Error('away'))],
    [
      'throws',
      () => {
        throw new Error('away')
      },
    ],
  ] as const) {
    it(`is lost if the store ${how}: the request succeeds, and the next attempt to store a use is an hour later`, async () => {
      let tries = 0
      const note = createNoteKeyUse({
        recordUse: () => {
          tries += 1
          return recordUse()
        },
      })
      for (const _ of ['once', 'twice']) note(keyOf(7), NOON)
      await new Promise((resolve) => setImmediate(resolve))
      expect(tries).to.equal(1)
      note(keyOf(7), NOON + HOUR)
      expect(tries).to.equal(2)
    })
  }
})
