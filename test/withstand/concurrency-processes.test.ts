import { concurrencyProcessesChecker } from './concurrency/checker.js'
import { describeConcurrency } from './concurrency/describe.js'

describeConcurrency(concurrencyProcessesChecker, { rounds: 4, plantedIn: 'sqlite', plantedRounds: 30 })
