import { importJWK, jwtVerify } from 'jose';
import { descriptorOfType } from '../../domain/presentation/exchange/definition.ts';
import { inOrder } from '../../domain/verifier/verification/evaluation.ts';
import { Verification } from '../../domain/verifier/verification/verification.ts';
import { bareCrypto } from '../baselines/bare-crypto.ts';
import { compared, interleave, type Line, repeat, type Slice } from '../support/harness.ts';
import { inTurn, MANY, makeParty, type Party, signBare } from '../support/parties.ts';
import { benchPlatform } from '../support/platform.ts';

const CLIENT = 'https://verifier.example/openid4vc/verify';
const NONCE = '4b1fa0b6-7cf0-4a9b-a3d2-6b1d2a6bd0aa';
const TYPE = 'UniversityDegree';

const numbers = (count: number): number[] => Array.from({ length: count }, (_, number) => number);

/** A presentation of credentials, each of a type of its own. */
function present(issuer: Party, holder: Party, count = 1): string {
  const credentials = numbers(count).map((number) => {
    const vc = {
      '@context': ['https://www.w3.org/2018/credentials/v1'],
      type: ['VerifiableCredential', `${TYPE}${number}`],
      issuer: issuer.did,
      issuanceDate: '2026-01-01T00:00:00Z',
      credentialSubject: { id: holder.did, degree: { type: 'BachelorDegree', name: 'Bachelor of Science' } },
    };
    return signBare({ kid: issuer.kid, typ: 'JWT' }, { iss: issuer.did, sub: holder.did, vc }, issuer.privateKey);
  });
  const vp = { type: ['VerifiablePresentation'], holder: holder.did, verifiableCredential: credentials };
  return signBare(
    { kid: holder.kid, typ: 'JWT' },
    { iss: holder.did, aud: CLIENT, nonce: NONCE, vp },
    holder.privateKey,
  );
}

const submissionOf = (count: number): string =>
  JSON.stringify({
    id: 'answered',
    definition_id: 'asked',
    descriptor_map: numbers(count).map((number) => ({
      id: `${TYPE}${number}`,
      format: 'jwt_vp_json',
      path: '$',
      path_nested: { format: 'jwt_vc_json', path: `$.vp.verifiableCredential[${number}]` },
    })),
  });

/** The verifier with its default policies: signatures of holder and issuer, definition, nonce and audience. */
async function ours(next: () => string, count = 1): Promise<() => Promise<void>> {
  const platform = await benchPlatform();
  const verification = new Verification({ ...platform, matching: platform, maxAgeMs: 300_000 });
  const types = numbers(count).map((number) => `${TYPE}${number}`);
  const task = {
    query: {
      language: 'presentation-exchange' as const,
      definition: { id: 'asked', input_descriptors: types.map((type) => descriptorOfType(type, type)) },
    },
    nonce: NONCE,
    audience: CLIENT,
    vpPolicies: [{ policy: 'signature' }],
    vcPolicies: [{ policy: 'signature' }],
    ownPolicies: [],
  };
  const submission = submissionOf(count);
  return async () => {
    const submitted = await verification.read(task, { vpToken: next(), submission });
    const results = inOrder(await verification.evaluatePolicies(task, submitted, Date.now()));
    const isGood = results.every(({ policies }) => policies.every((policy) => policy.is_success));
    if (results.length !== 1 + count || !isGood) throw new Error(`Not verified: ${JSON.stringify(results)}`);
  };
}

const keyOf = (did: unknown) =>
  importJWK(JSON.parse(Buffer.from(String(did).slice('did:jwk:'.length), 'base64url').toString()), 'ES256');

const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

/** As one writes it by hand with jose. */
async function byHand(token: string): Promise<void> {
  const { payload } = await jwtVerify(token, await keyOf(claimsOf(token).iss), { audience: CLIENT });
  if (payload.nonce !== NONCE) throw new Error('Another nonce');
  const { verifiableCredential } = payload.vp as { verifiableCredential: string[] };
  for (const credential of verifiableCredential) {
    const opened = await jwtVerify(credential, await keyOf(claimsOf(credential).iss));
    const { type } = opened.payload.vc as { type: string[] };
    if (!type.includes(`${TYPE}0`)) throw new Error('Another type');
  }
}

/** Verification of a presentation of one credential, ES256, holders never seen before, in process. */
export async function presentation(): Promise<Line[]> {
  const issuer = makeParty();
  const presentations = Array.from({ length: MANY }, () => present(issuer, makeParty()));
  const next = inTurn(presentations);
  const { mine, bare, hand } = await interleave(
    {
      mine: repeat(await ours(next)),
      bare: repeat(bareCrypto({ signs: 0, verifies: 2, imports: 2 })),
      hand: repeat(() => byHand(next())),
    },
    { warmUp: 20 },
  );
  const work = 'VP of one VC verified, ES256, in process';
  return [
    compared({ work, named: 'bare 2 verify + 2 import' }, mine, bare),
    compared({ work: '', named: 'jose, by hand', goal: { atLeast: 1.8 } }, mine, hand),
  ];
}

/** The same of 1, 5 and 20 credentials; the rate of credentials is the rate of presentations times their number. */
export async function presentationGrowth(): Promise<Line[]> {
  const issuer = makeParty();
  const holders = Array.from({ length: MANY }, makeParty);
  const credentialsPerSecond = async (count: number): Promise<Slice> => {
    const next = inTurn(holders.map((holder) => present(issuer, holder, count)));
    const slice = repeat(await ours(next, count));
    return async () => (await slice()) * count;
  };
  const { one, five, twenty } = await interleave(
    {
      one: await credentialsPerSecond(1),
      five: await credentialsPerSecond(5),
      twenty: await credentialsPerSecond(20),
    },
    { warmUp: 20 },
  );
  const work = 'cost of each credential of a VP, 1 to 5 and to 20';
  return [
    compared({ work, named: 'of 5', goal: { atMost: 1 } }, one, five),
    compared({ work: '', named: 'of 20', goal: { atMost: 1 } }, one, twenty),
  ];
}
