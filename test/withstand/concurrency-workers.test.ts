import { concurrencyWorkersChecker } from './concurrency/checker.js'
import { describeConcurrency } from './concurrency/describe.js'

describeConcurrency(concurrencyWorkersChecker, { rounds: 3, plantedIn: 'sqlite', plantedRounds: 40 })
