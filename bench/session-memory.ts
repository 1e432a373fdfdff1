import { compiled } from './compiled.ts';
import type { Line } from './harness.ts';
import { makeParty } from './holders.ts';
import { usedBytes } from './memory.ts';
import { makeFoundation } from './services.ts';

const { readConfigurations } =
  await compiled<typeof import('../domain/issuer/configurations.ts')>('domain/issuer/configurations');
const { IssuanceEvents } = await compiled<typeof import('../domain/issuer/events.ts')>('domain/issuer/events');
const { IssuerKeys } = await compiled<typeof import('../domain/issuer/issuer-keys.ts')>('domain/issuer/issuer-keys');
const { IssuerOffers } = await compiled<typeof import('../domain/issuer/offers.ts')>('domain/issuer/offers');
const { IssuanceSessions } = await compiled<typeof import('../domain/issuer/sessions.ts')>('domain/issuer/sessions');
const { ServerKeys } = await compiled<typeof import('../domain/keys/server-keys.ts')>('domain/keys/server-keys');

const SESSIONS = 100_000;
const ALLOWED_MIB = 100;
const TYPES = ['VerifiableCredential', 'UniversityDegree'];
const DATA = {
  '@context': ['https://www.w3.org/2018/credentials/v1'],
  type: TYPES,
  credentialSubject: { degree: { type: 'BachelorDegree', name: 'Bachelor of Science' } },
};
const MAPPING = {
  id: '<uuid>',
  issuer: '<issuerDid>',
  credentialSubject: { id: '<subjectDid>' },
  issuanceDate: '<timestamp>',
  expirationDate: '<timestamp-in:365d>',
};

function makeOffers() {
  const base = makeFoundation();
  const { store, keys, outbound, log, clock } = base;
  return new IssuerOffers({
    ...base,
    issuer: 'https://issuer.example/draft13',
    configurations: readConfigurations({ UniversityDegree: TYPES }),
    sessions: new IssuanceSessions(base),
    events: new IssuanceEvents(outbound, log),
    issuerKeys: new IssuerKeys(store, new ServerKeys(store, keys, clock)),
  });
}

/** Memory of issuance sessions with one credential each that nobody has fetched yet, sealed, in the memory store. */
export async function sessionMemory(): Promise<Line[]> {
  const { did, privateJwk } = makeParty();
  const request = {
    issuerKey: { type: 'jwk', jwk: privateJwk },
    issuerDid: did,
    credentialConfigurationId: 'UniversityDegree_jwt_vc_json',
    credentialData: DATA,
    mapping: MAPPING,
  };
  const offers = makeOffers();
  const make = (): Promise<string> => offers.make([request], { isBatch: false });
  await make();
  const before = await usedBytes();
  for (let made = 0; made < SESSIONS; made += 1) await make();
  const mib = ((await usedBytes()) - before) / 2 ** 20;
  // Without this the sessions could be let go before they are measured.
  await make();
  const work = '100,000 issuance sessions in memory, sealed';
  const [allowed, goal] = [`${ALLOWED_MIB} MiB allowed`, { atMost: 1 }];
  return [{ work, ours: `${mib.toFixed(1)} MiB`, beside: allowed, ratio: mib / ALLOWED_MIB, goal }];
}
