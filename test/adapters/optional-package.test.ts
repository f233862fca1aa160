import { expect } from 'chai'
import { notEmpty, optionalPackageError } from '../../src/adapters/optional-package.js'
import { isRefusal } from '../../src/domain/refusal.js'

const failing = (code: string, message: string) => Object.assign(new Error(message), { code })

describe('an optional package', () => {
  it('causes an error that contains the install command if it is not installed', () => {
    const cause = failing('ERR_MODULE_NOT_FOUND', "Cannot find package 'mongodb' imported from /app/index.js")
    const refusal = optionalPackageError('mongodb', cause)
    expect(refusal).to.include({ code: 'missing-package', cause })
    expect(isRefusal(refusal) && refusal.messages[0]?.message).to.include('npm install mongodb')
  })

  it('is recognized as missing if a bundle reports the package as missing', () => {
    for (const message of [
      "Cannot find module 'paseto'\nRequire stack:\n- /app/bundle.cjs",
      "Cannot find module 'paseto/v4/public'",
    ])
      expect(optionalPackageError('paseto', failing('MODULE_NOT_FOUND', message))).to.include({
        code: 'missing-package',
      })
  })

  it('is recognized as missing if an empty module replaces the package', () => {
    const module: { default: object; MongoClient?: object } = { default: {} }
    expect(() => notEmpty('mongodb', module, 'MongoClient'))
      .to.throw()
      .with.property('code', 'missing-package')
    const whole = { ...module, MongoClient: Object }
    expect(notEmpty('mongodb', whole, 'MongoClient')).to.equal(whole)
  })

  it('causes the original error in all other cases, even if a dependency of the package is missing', () => {
    const others = [
      failing('ERR_MODULE_NOT_FOUND', "Cannot find package 'bson' imported from /app/index.js"),
      failing('MODULE_NOT_FOUND', "Cannot find module 'mongodb-more'"),
      'no error at all',
      { code: 'ERR_MODULE_NOT_FOUND', message: "Cannot find package 'mongodb' imported from /app" },
      failing('ENOENT', "Cannot find package 'mongodb' imported from /app/index.js"),
    ]
    for (const error of others) expect(optionalPackageError('mongodb', error)).to.equal(error)
  })

  it('is recognized as missing if Node reports the package as missing', async () => {
    // A variable, so that the compiler does not resolve the package.
    const name: string = 'kennel-has-no-such-package'
    const error: unknown = await import(name).catch((reason: unknown) => reason)
    expect(optionalPackageError(name, error)).to.include({ code: 'missing-package' })
  })
})
