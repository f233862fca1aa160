// What people read (mocha's spec reporter) and what machines count (mocha's JSON reporter, in a file).
import mocha from 'mocha'

const REPORT = 'reports/mocha.json'

export default class SpecAndJson extends mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options)
    new mocha.reporters.JSON(runner, { ...options, reporterOption: { output: REPORT } })
  }
}
