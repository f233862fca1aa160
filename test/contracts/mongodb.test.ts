import { recordLaws } from '../../src/contracts/index.js'
import { openFresh } from '../support/mongodb/fresh-store.js'
import { describeStoreLaws } from './describe-store-laws.js'
import { describeWith } from '../support/required-tools.js'

describeWith('mongodb', 'a store in MongoDB', () => {
  describeStoreLaws('a server of its own', async () => await openFresh())
  describeStoreLaws(
    'a server of its own as a source and target of copies',
    async () => await openFresh(),
    recordLaws,
  )
})
