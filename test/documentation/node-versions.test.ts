import { expect } from 'chai'
import { textOf } from '../support/project.js'

const { engines } = JSON.parse(textOf('package.json')) as { engines: { node: string } }
/** The major versions of Node.js that the package supports, newest first. */
const MAJORS = engines.node.split(' || ').map((range) => Number(/\d+/.exec(range)?.[0]))
MAJORS.sort((one, other) => other - one)

/** Returns the numbers in a sentence, in order. */
function numbersIn(path: string, sentence: RegExp): number[] {
  const [, said = ''] = sentence.exec(textOf(path)) ?? []
  return Array.from(said.matchAll(/\d+/g), ([number]) => Number(number))
}

describe('the supported Node.js versions', () => {
  it('are exactly the versions that continuous integration runs', () => {
    expect(MAJORS).to.have.length.above(2)
    const run = numbersIn('.ci/run', /^ +for major in (.*); do$/m)
    expect(run.toReversed()).to.deep.equal(MAJORS)
    const said = numbersIn('docs/contribute/test-tools.md', /`\.ci\/run` fetches (.*)\./)
    expect(said).to.deep.equal(run)
  })

  it('are listed on the pages, with the recommended version first', () => {
    expect(new Set(numbersIn('README.md', /^Kennel needs only Node (.*)\), and stores/m))).to.deep.equal(
      new Set(MAJORS),
    )
    expect(numbersIn('README.md', /^Kennel needs only Node (\d+), the newest LTS/m)).to.deep.equal([
      MAJORS[0],
    ])
    expect(numbersIn('docs/embed/first-login.md', /need Node (.*) \(past/)).to.deep.equal(MAJORS)
    expect(numbersIn('docs/operate/systemd.md', /with Node \((.*), the newest LTS\)/)).to.deep.equal([
      MAJORS[0],
    ])
  })

  it('include the version in the container images, which is the same in all images', () => {
    const images = Array.from(textOf('Dockerfile').matchAll(/^FROM node:(\d+)-/gm), ([, major]) =>
      Number(major),
    )
    expect(images).to.have.length(2)
    expect(new Set(images)).to.have.length(1)
    expect(MAJORS).to.include(images[0])
  })
})
