import { compiled } from './compiled.ts';
import { floor } from './floor.ts';
import { compared, interleave, type Line, repeat } from './harness.ts';
import { makeParty, manyParties, type Party, signBare } from './holders.ts';
import { libraryIssuance } from './issuance-library.ts';
import { makeFoundation } from './services.ts';

const { readConfigurations } =
  await compiled<typeof import('../domain/issuer/configurations.ts')>('domain/issuer/configurations');
const { CredentialMaker } = await compiled<typeof import('../domain/issuer/credential-maker.ts')>(
  'domain/issuer/credential-maker',
);
const { IssuanceEvents } = await compiled<typeof import('../domain/issuer/events.ts')>('domain/issuer/events');
const { Issuance } = await compiled<typeof import('../domain/issuer/issuance.ts')>('domain/issuer/issuance');
const { IssuerKeys } = await compiled<typeof import('../domain/issuer/issuer-keys.ts')>('domain/issuer/issuer-keys');
const { IssuerOffers } = await compiled<typeof import('../domain/issuer/offers.ts')>('domain/issuer/offers');
const { HolderProofs } = await compiled<typeof import('../domain/issuer/proofs.ts')>('domain/issuer/proofs');
const { IssuanceSessions } = await compiled<typeof import('../domain/issuer/sessions.ts')>('domain/issuer/sessions');
const { IssuanceTokens, PRE_AUTHORIZED } =
  await compiled<typeof import('../domain/issuer/tokens.ts')>('domain/issuer/tokens');
const { ServerKeys } = await compiled<typeof import('../domain/keys/server-keys.ts')>('domain/keys/server-keys');

const ISSUER = 'https://issuer.example/draft13';
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

function makeIssuer() {
  const base = makeFoundation();
  const { store, keys, outbound, log, signatures, dids } = base;
  const events = new IssuanceEvents(outbound, log);
  const sessions = new IssuanceSessions(base);
  const issuerKeys = new IssuerKeys(store, new ServerKeys(store, keys, base.clock));
  const configurations = readConfigurations({ UniversityDegree: TYPES });
  const shared = { ...base, issuer: ISSUER, sessions, events };
  const proofs = new HolderProofs({ dids, signatures, clock: base.clock });
  return {
    offers: new IssuerOffers({ ...shared, configurations, issuerKeys }),
    tokens: new IssuanceTokens(shared),
    issuance: new Issuance({ ...shared, proofs, maker: new CredentialMaker(base) }),
  };
}

/** Offer made, shown, redeemed; proof signed by a holder never seen before, and the credential issued. */
function ours(nextHolder: () => Party): () => Promise<string> {
  const { offers, tokens, issuance } = makeIssuer();
  const { did, privateJwk } = makeParty();
  const request = {
    issuerKey: { type: 'jwk', jwk: privateJwk },
    issuerDid: did,
    credentialConfigurationId: 'UniversityDegree_jwt_vc_json',
    credentialData: DATA,
    mapping: MAPPING,
  };
  return async () => {
    const link = await offers.make([request], { isBatch: false });
    const offerUri = new URL(link.replace(/^[^?]*\?/, 'https://wallet.example/?')).searchParams.get(
      'credential_offer_uri',
    );
    const offer = await offers.show(new URL(offerUri ?? '').searchParams.get('id') ?? '');
    const code = offer.grants[PRE_AUTHORIZED]['pre-authorized_code'];
    const token = await tokens.redeem({ grant_type: PRE_AUTHORIZED, 'pre-authorized_code': code });
    const jwt = prove(nextHolder(), ISSUER, token.c_nonce);
    const answer = await issuance.issue(token.access_token, {
      format: 'jwt_vc_json',
      credential_definition: { type: TYPES },
      proof: { proof_type: 'jwt', jwt },
    });
    return answer.credential;
  };
}

/** The proof of possession a wallet sends. */
function prove({ kid, privateKey }: Party, aud: string, nonce: string): string {
  const payload = { aud, nonce, iat: Math.floor(Date.now() / 1000) };
  return signBare({ typ: 'openid4vci-proof+jwt', kid }, payload, privateKey);
}

/** Whole pre-authorized issuance of a JWT VC with ES256, in process. */
export async function wholeIssuance(): Promise<Line[]> {
  const nextHolder = manyParties();
  const { mine, bare, library } = await interleave({
    mine: repeat(ours(nextHolder)),
    bare: repeat(floor({ signs: 3, verifies: 2, imports: 1 })),
    library: repeat(libraryIssuance({ nextHolder, prove, issuer: ISSUER, types: TYPES, data: DATA })),
  });
  const work = 'whole issuance, ES256 JWT VC, in process';
  return [
    compared({ work, named: 'bare 3 sign + 2 verify + 1 import', goal: { atLeast: 0.55 } }, mine, bare),
    compared({ work: '', named: '@openid4vc libraries', goal: { atLeast: 1.8 } }, mine, library),
  ];
}
