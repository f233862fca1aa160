import { expect } from 'chai'
import { installPackage, type Said } from './installed.js'
import { GIVEN, MISTAKES } from './mistakes.js'

const LIBRARY_IS_CHECKED_ELSEWHERE = { skipLibCheck: true }

describe('the types of the package', () => {
  let said: readonly Said[]
  before(() => {
    const installed = installPackage()
    const files = MISTAKES.flatMap(({ wrong, right }, index) => [
      [`wrong-${index}.ts`, `${GIVEN}${wrong}\n`],
      [`right-${index}.ts`, `${GIVEN}${right}\n`],
    ])
    said = installed.compile(
      Object.fromEntries(files) as Record<string, string>,
      LIBRARY_IS_CHECKED_ELSEWHERE,
    )
    installed.remove()
  })

  for (const [index, { title, code, names }] of MISTAKES.entries()) {
    it(`reject ${title}`, () => {
      const about = said.filter(({ file }) => file === `wrong-${index}.ts`)
      expect(about.map((one) => one.code)).to.deep.equal([code])
      expect(about[0]?.message).to.include(names)
    })
  }

  it('accept each of these examples once the mistake is corrected, which shows that the mistake caused the error', () => {
    expect(said.filter(({ file }) => !file.startsWith('wrong-'))).to.deep.equal([])
  })
})
