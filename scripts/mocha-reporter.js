// What people read (mocha's spec reporter) and what machines count (mocha's JSON reporter, in a file).
import mocha from 'mocha'
import { USUAL_RUNS } from './runs.js'

export default class SpecAndJson extends mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options)
    const output = process.env.TEST_REPORT ?? USUAL_RUNS[0].report
    new mocha.reporters.JSON(runner, { ...options, reporterOption: { output } })
  }
}
