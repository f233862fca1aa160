import { expect } from 'chai'
import { withOptionalPackage } from '../../src/domain/optional-package.js'
import { refusalOf } from '../support/refusal-of.js'

/** As Node rejects an import of a package that is not installed. */
function missing(name: string): Error {
  const error = new Error(`Cannot find package '${name}' imported from /app/index.js`)
  return Object.assign(error, { code: 'ERR_MODULE_NOT_FOUND' })
}

const loading = (error: unknown) => withOptionalPackage('mongodb', () => Promise.reject(error as Error))
const errorOf = (promise: Promise<unknown>) => promise.then(String, (error: unknown) => error)

describe('an optional package', () => {
  it('is what was loaded', async () => {
    expect(await withOptionalPackage('mongodb', () => Promise.resolve(7))).to.equal(7)
  })

  it('that is not installed is refused, and says how to install it', async () => {
    const cause = missing('mongodb')
    const refusal = await refusalOf(loading(cause))
    expect(refusal.code).to.equal('missing-package')
    expect(refusal.messages[0]?.message).to.include('npm install mongodb')
    expect(refusal.cause).to.equal(cause)
  })

  it('with any other error is that error, also where a package of the package is missing', async () => {
    for (const error of [missing('bson'), new TypeError("package 'mongodb' is broken"), 'no error at all'])
      expect(await errorOf(loading(error))).to.equal(error)
  })

  it('really is missing as Node says it', async () => {
    // A name that the compiler cannot look up.
    const name: string = 'kennel-has-no-such-package'
    const refusal = await refusalOf(withOptionalPackage(name, () => import(name)))
    expect(refusal.code).to.equal('missing-package')
  })
})
