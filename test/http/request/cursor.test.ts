import { expect } from 'chai'
import fc from 'fast-check'
import { rememberedId, type SessionId } from '../../../src/domain/identity/session.js'
import { SESSION_POSITIONS } from '../../../src/http/endpoints/sessions.js'
import { cursors } from '../../../src/http/keyset.js'
import { START } from '../../support/use-cases.js'
import { entityTag, expectedRevisions } from '../../../src/http/request/conditions.js'
import { petId, type Pet, type PetId, type Revision } from '../../../src/domain/catalogue/pet.js'

const anyId = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }).map((id) => id as PetId)

const { write, read } = cursors<PetId>({ version: 'p1', write: String, read: petId })

describe('a cursor', () => {
  it('has had the same format since the first release', () => {
    expect(write(20 as PetId)).to.equal('cDE6MjA')
  })

  it('returns the same position when decoded, unless it comes from a different list', () => {
    const others = cursors<PetId>({ version: 'j1', write: String, read: petId })
    fc.assert(
      fc.property(anyId, (id) => {
        expect(read(write(id))).to.equal(id)
        expect(read(others.write(id))).to.equal(undefined)
      }),
    )
  })

  it('returns the position of any session when decoded, also of a remembered session', () => {
    const sessions = cursors(SESSION_POSITIONS)
    const id = 'qT3xEXAMPLE-EXAMPLE_uQ' as SessionId
    for (const position of [
      { createdAt: 0, id },
      { createdAt: START, id: rememberedId(id) },
    ])
      expect(sessions.read(sessions.write(position))).to.deep.equal(position)
  })

  it('is rejected if the service did not issue it', () => {
    const garbage = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.base64String(),
      fc.string().map((text) => Buffer.from(`p1:${text}`).toString('base64url')),
    )
    fc.assert(
      fc.property(garbage, (text) => {
        const after = read(text)
        expect(after === undefined || write(after) === text).to.equal(true)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('an entity tag', () => {
  const anyRevision = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }).map((one) => one as Revision)
  const tagOf = (id: PetId, revision: Revision) => entityTag({ id, revision } as Pet)

  it('matches the current revision of the pet at any position in a list of tags', () => {
    const other = fc.constantFrom('"x"', 'W/"1-1"', '', ' ', 'garbage')
    fc.assert(
      fc.property(anyId, anyRevision, fc.array(other), fc.array(other), (id, revision, before, after) => {
        fc.pre(id !== 1)
        const header = [...before, tagOf(id, revision), ...after].join(' , ')
        expect(expectedRevisions(header, id)).to.deep.equal([revision])
      }),
    )
  })

  it('does not match if it is weak or malformed, or if it belongs to another pet', () => {
    fc.assert(
      fc.property(anyId, anyId, anyRevision, (id, otherId, revision) => {
        fc.pre(id !== otherId)
        expect(expectedRevisions(tagOf(otherId, revision), id)).to.deep.equal([])
        expect(expectedRevisions(`W/${tagOf(id, revision)}`, id)).to.deep.equal([])
        expect(expectedRevisions(tagOf(id, revision).slice(1, -1), id)).to.deep.equal([])
      }),
    )
  })

  it('must match if the header is present, unless the header is `*`', () => {
    expect(expectedRevisions(undefined, 1 as PetId)).to.equal(undefined)
    expect(expectedRevisions(' * ', 1 as PetId)).to.equal(undefined)
    for (const text of ['', '"x"', '*, *']) expect(expectedRevisions(text, 1 as PetId)).to.deep.equal([])
  })
})
