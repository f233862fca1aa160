import { eddsaBench, hs512Bench } from './forged-jwt.js'
import { pasetoBench } from './forged-paseto.js'
import { MODES } from './token-bench.js'

export const BENCHES = [hs512Bench, eddsaBench, pasetoBench]

/** Every token format with and without stored sessions. */
export const WORKPLACES = BENCHES.flatMap((bench) =>
  MODES.map((mode) => ({ bench, mode, title: `the signer of ${bench.name} tokens, ${mode.name}` })),
)
