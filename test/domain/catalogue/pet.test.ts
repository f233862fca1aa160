import { expect } from 'chai'
import fc from 'fast-check'
import { category, CATEGORIES, petId, petName, petTag } from '../../../src/domain/catalogue/pet.js'
import type { Parsed } from '../../../src/domain/parsed.js'

/** Text of any code points, halves of surrogate pairs and control characters among them. */
const anyText = fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.string({ maxLength: 300 }))
const LONE = /\p{Cs}/u
const CONTROL = /\p{Cc}/u

/** The rule of decisions.md, written another way. */
function isFine(text: string, max: number): boolean {
  const count = Array.from(text).length
  return count >= 1 && count <= max && !CONTROL.test(text) && !LONE.test(text)
}

function valueOf(parsed: Parsed<string>): string | undefined {
  return parsed.ok ? parsed.value : undefined
}

describe('petName', () => {
  it('is the trimmed text where that is plain and has 1 to 200 characters', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const trimmed = text.trim()
        expect(valueOf(petName(text))).to.equal(isFine(trimmed, 200) ? trimmed : undefined)
      }),
    )
  })

  it('is the same when it is parsed again', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const once = valueOf(petName(text))
        if (once !== undefined) expect(valueOf(petName(once))).to.equal(once)
      }),
    )
  })

  it('counts code points, at both ends', () => {
    for (const one of ['a', 'é', '日', '🐕']) {
      expect(valueOf(petName(one.repeat(200)))).to.equal(one.repeat(200))
      expect(petName(one.repeat(201))).to.deep.equal({
        ok: false,
        type: 'Length',
        rule: 'must have 1 to 200 characters',
      })
    }
  })

  it('never tells what was sent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 8, maxLength: 500 }), (text) => {
        const parsed = petName(text)
        if (!parsed.ok) expect(parsed.rule).to.not.include(text)
      }),
    )
  })
})

describe('petTag', () => {
  it('is the text as it came where that is plain and has 1 to 100 characters', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(valueOf(petTag(text))).to.equal(isFine(text, 100) ? text : undefined)
      }),
    )
  })

  it('takes no half of a surrogate pair anywhere', () => {
    const half = fc.integer({ min: 0xd800, max: 0xdfff }).map((code) => String.fromCharCode(code))
    const letters = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 40 })
    fc.assert(
      fc.property(letters, half, letters, (start, lone, end) => {
        expect(petTag(start + lone + end).ok).to.equal(false)
      }),
    )
  })
})

describe('petId', () => {
  it('is the number that its plain decimal form names, below 2^53', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (id) => {
        expect(petId(String(id))).to.equal(id)
      }),
    )
  })

  it('is nothing for every number beyond', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 2n ** 53n, max: 2n ** 80n }), (id) => {
        expect(petId(String(id))).to.equal(undefined)
      }),
    )
  })

  it('is nothing for any other text, also for another form of a number', () => {
    const written = fc
      .tuple(
        fc.constantFrom('', '0', '+', '-', ' ', '0x', '\n'),
        fc.nat(),
        fc.constantFrom('', '.0', 'e0', ' ', 'n', '\n', '\0', '_'),
      )
      .filter(([before, , after]) => before !== '' || after !== '')
    fc.assert(
      fc.property(
        fc.oneof(
          anyText,
          written.map((parts) => parts.join('')),
        ),
        (text) => {
          const id = petId(text)
          expect(id === undefined || String(id) === text).to.equal(true)
        },
      ),
    )
    for (const text of [
      '',
      '0',
      '01',
      '-1',
      '+1',
      ' 1',
      '1 ',
      '1.0',
      '1e0',
      '9007199254740992',
      '١',
      '1\n',
    ]) {
      expect(petId(text), text).to.equal(undefined)
    }
  })
})

describe('category', () => {
  it('is one of three and nothing else', () => {
    for (const one of CATEGORIES) expect(valueOf(category(one))).to.equal(one)
    fc.assert(
      fc.property(anyText, (text) => {
        expect(category(text).ok).to.equal((CATEGORIES as readonly string[]).includes(text))
      }),
    )
    for (const text of ['one', 'ONE', 'toString', '__proto__', '0', 'length']) {
      expect(category(text), text).to.deep.equal({
        ...{ ok: false, type: 'NotValid', rule: `must be one of ${CATEGORIES.join(', ')}` },
      })
    }
  })
})
