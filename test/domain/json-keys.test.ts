import { expect } from 'chai'
import fc from 'fast-check'
import { doubtfulKeys, pathText } from '../../src/domain/json-keys.js'

type Tree =
  | { readonly kind: 'leaf'; readonly text: string }
  | { readonly kind: 'array'; readonly items: readonly Tree[] }
  | { readonly kind: 'object'; readonly members: readonly (readonly [key: string, value: Tree])[] }

const key = fc.constantFrom('a', 'b', 'a"', '\\', '{', ':,', 'constructor', 'ä', '__proto__', '')
const leaf = fc
  .oneof(
    fc.json({ maxDepth: 0 }),
    fc.string().map((text) => JSON.stringify(text)),
    fc.constantFrom('1e5', 'null'),
  )
  .map((text): Tree => ({ kind: 'leaf', text }))
const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.array(tie('tree'), { maxLength: 4 }).map((items): Tree => ({ kind: 'array', items })),
    fc
      .array(fc.tuple(key, tie('tree')), { maxLength: 5 })
      .map((members): Tree => ({ kind: 'object', members })),
  ),
}))

function written(one: Tree, gap: string): string {
  if (one.kind === 'leaf') return one.text
  if (one.kind === 'array') return `[${gap}${one.items.map((item) => written(item, gap)).join(`${gap},`)}]`
  const members = one.members.map(
    ([name, value]) => `${JSON.stringify(name)}${gap}:${gap}${written(value, gap)}`,
  )
  return `{${gap}${members.join(`,${gap}`)}${gap}}`
}

/** Returns the paths of suspicious keys, found by walking the tree. */
function expected(one: Tree, path: readonly PropertyKey[] = []): string[] {
  if (one.kind === 'leaf') return []
  if (one.kind === 'array') return one.items.flatMap((item, index) => expected(item, [...path, index]))
  return one.members.flatMap(([name, value], index) => {
    const twice = one.members.slice(0, index).some(([earlier]) => earlier === name)
    const here = [...path, name]
    const doubtful = twice || name === '__proto__' || name === 'constructor'
    return [...(doubtful ? [JSON.stringify(here)] : []), ...expected(value, here)]
  })
}

describe('suspicious keys in a JSON text', () => {
  it('are found anywhere in the text', () => {
    fc.assert(
      fc.property(tree, fc.constantFrom('', ' ', '\n\t'), (one, gap) => {
        const found = doubtfulKeys(written(one, gap)).map(({ path }) => JSON.stringify(path))
        expect(found).to.deep.equal(expected(one))
      }),
    )
  })

  it('are compared after resolving escapes', () => {
    const found = doubtfulKeys('{"roles": {"a": 1, "\\u0061": 2, "__pr\\u006fto__": 3}}')
    expect(found.map(({ path, rule }) => `${pathText(path)} ${rule}`)).to.deep.equal([
      'roles.a occurs twice',
      'roles.__proto__ is a key that is not allowed',
    ])
  })

  it('are found at any nesting depth', () => {
    const deep = `${'[{"x":'.repeat(20_000)}{"a":1,"a":2}${'}]'.repeat(20_000)}`
    expect(doubtfulKeys(deep)).to.have.lengthOf(1)
  })
})
