import { importJWK, jwtVerify } from 'jose';
import { descriptorOfType } from '../../domain/presentation/exchange/definition.ts';
import { inOrder } from '../../domain/verifier/presentation-evaluation.ts';
import { Verification } from '../../domain/verifier/verification.ts';
import { bareCrypto } from '../baselines/bare-crypto.ts';
import { compared, interleave, type Line, repeat } from '../support/harness.ts';
import { inTurn, MANY, makeParty, type Party, signBare } from '../support/parties.ts';
import { memoryPlatform } from '../support/platform.ts';

const CLIENT = 'https://verifier.example/openid4vc/verify';
const NONCE = '4b1fa0b6-7cf0-4a9b-a3d2-6b1d2a6bd0aa';
const TYPE = 'UniversityDegree';

/** A presentation of one credential. */
function present(issuer: Party, holder: Party): string {
  const vc = {
    '@context': ['https://www.w3.org/2018/credentials/v1'],
    type: ['VerifiableCredential', TYPE],
    issuer: issuer.did,
    issuanceDate: '2026-01-01T00:00:00Z',
    credentialSubject: { id: holder.did, degree: { type: 'BachelorDegree', name: 'Bachelor of Science' } },
  };
  const credential = signBare(
    { kid: issuer.kid, typ: 'JWT' },
    { iss: issuer.did, sub: holder.did, vc },
    issuer.privateKey,
  );
  const vp = { type: ['VerifiablePresentation'], holder: holder.did, verifiableCredential: [credential] };
  return signBare(
    { kid: holder.kid, typ: 'JWT' },
    { iss: holder.did, aud: CLIENT, nonce: NONCE, vp },
    holder.privateKey,
  );
}

const SUBMISSION = JSON.stringify({
  id: 'answered',
  definition_id: 'asked',
  descriptor_map: [
    {
      id: TYPE,
      format: 'jwt_vp_json',
      path: '$',
      path_nested: { format: 'jwt_vc_json', path: '$.vp.verifiableCredential[0]' },
    },
  ],
});

/** The verifier with its default policies: signatures of both, definition, nonce and audience. */
async function ours(next: () => string): Promise<() => Promise<void>> {
  const platform = await memoryPlatform();
  const verification = new Verification({ ...platform, matching: platform });
  const task = {
    query: {
      language: 'presentation-exchange' as const,
      definition: { id: 'asked', input_descriptors: [descriptorOfType(TYPE, TYPE)] },
    },
    nonce: NONCE,
    audience: CLIENT,
    vpPolicies: [{ policy: 'signature' }],
    vcPolicies: [{ policy: 'signature' }],
    ownPolicies: [],
  };
  return async () => {
    const submitted = await verification.read(task, { vpToken: next(), submission: SUBMISSION });
    const results = inOrder(await verification.evaluatePolicies(task, submitted, Date.now()));
    const isGood = results.every(({ policies }) => policies.every((policy) => policy.is_success));
    if (results.length !== 2 || !isGood) throw new Error(`Not verified: ${JSON.stringify(results)}`);
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
    if (!type.includes(TYPE)) throw new Error('Another type');
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
    compared({ work: '', named: 'jose, by hand', goal: { atLeast: 1 } }, mine, hand),
  ];
}
