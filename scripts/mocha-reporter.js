// What people read (mocha's spec reporter) and what machines count (mocha's JSON reporter, in a file).
import mocha from 'mocha'
import { MONGODB_REPORT, REPORT } from './reports.js'

export default class SpecAndJson extends mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options)
    const output = process.env.TEST_STORE === 'mongodb' ? MONGODB_REPORT : REPORT
    new mocha.reporters.JSON(runner, { ...options, reporterOption: { output } })
  }
}
