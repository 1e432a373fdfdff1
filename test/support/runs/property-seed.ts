import fc from 'fast-check';

/** Of every run, so that a run of the suite can be repeated: another `PROPERTY_SEED` searches elsewhere. */
const SEED = 20_261_122;

fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? SEED) });
