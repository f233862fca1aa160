import type { Checker } from './checker.js'
import {
  concurrencyChecker,
  concurrencyProcessesChecker,
  concurrencyWorkersChecker,
} from './concurrency/checker.js'
import { crashesChecker } from './crashes/checker.js'
import { malformedChecker } from './malformed/checker.js'
import { modelChecker } from './model/checker.js'
import { networkChecker } from './network/checker.js'
import { resourcesChecker } from './resources/checker.js'
import { stopsChecker } from './stops/checker.js'

/** Every checker, in the order in which a run without names tries them. */
export const CHECKERS: readonly Checker[] = [
  modelChecker,
  concurrencyChecker,
  concurrencyProcessesChecker,
  crashesChecker,
  networkChecker,
  resourcesChecker,
  stopsChecker,
  malformedChecker,
  concurrencyWorkersChecker,
]
