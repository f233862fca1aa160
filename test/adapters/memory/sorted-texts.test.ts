import { expect } from 'chai'
import fc from 'fast-check'
import { createSortedTexts } from '../../../src/adapters/memory/sorted-texts.js'

describe('texts in their order', () => {
  it('are listed once each, from any text onwards, until they are deleted', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '\u{1f600}', '\ue000'), maxLength: 6 })
    fc.assert(
      fc.property(fc.array(text), text, (changed, first) => {
        const texts = createSortedTexts<string>()
        const there = new Set<string>()
        for (const one of changed) {
          if (there.delete(one)) {
            texts.delete(one)
          } else {
            there.add(one)
            texts.add(one)
          }
        }
        const expected = [...there].sort().filter((one) => one >= first)
        expect([...texts.from(first)]).to.deep.equal(expected)
      }),
    )
  })

  it('stay in order with many texts, added and deleted at any position', () => {
    const texts = createSortedTexts<string>()
    const all = Array.from({ length: 5_000 }, (_, index) => String((index * 7_919) % 5_000).padStart(4, '0'))
    for (const one of all) texts.add(one)
    const sorted = all.toSorted()
    expect([...texts.from('')]).to.deep.equal(sorted)
    for (const one of all.slice(0, 4_000)) texts.delete(one)
    const left = all.slice(4_000).sort()
    expect([...texts.from('')]).to.deep.equal(left)
    expect([...texts.from('2500')]).to.deep.equal(left.filter((one) => one >= '2500'))
    for (const one of left) texts.delete(one)
    expect([...texts.from('')]).to.deep.equal([])
    texts.add('again')
    expect([...texts.from('')]).to.deep.equal(['again'])
  })
})
