import { eddsaBench, hs512Bench } from '../../adapters/jose/forge.js'
import { pasetoBench } from '../../adapters/paseto/forge.js'
import { MODES } from './token-bench.js'

export const BENCHES = [hs512Bench, eddsaBench, pasetoBench]

/** Every format with and without stored sessions. */
export const WORKPLACES = BENCHES.flatMap((bench) =>
  MODES.map((mode) => ({ bench, mode, title: `the signer of ${bench.name} tokens, ${mode.name}` })),
)
