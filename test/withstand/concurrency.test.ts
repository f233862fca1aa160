import { concurrencyChecker } from './concurrency/checker.js'
import { describeConcurrency } from './concurrency/describe.js'

describeConcurrency(concurrencyChecker, { rounds: 5, plantedIn: 'memory', plantedRounds: 30 })
