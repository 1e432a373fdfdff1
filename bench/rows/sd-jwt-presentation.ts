import type { PublicJwk } from '../../ports/key-service.ts';
import { bareCrypto } from '../baselines/bare-crypto.ts';
import { LIBRARY_CREDENTIALS } from '../baselines/credential-libraries.ts';
import { libraryVerifier } from '../baselines/sd-jwt-library.ts';
import { compared, interleave, type Line, repeat } from '../support/harness.ts';
import { inTurn, MANY, makeParty, signRaw } from '../support/parties.ts';
import { benchPlatform } from '../support/platform.ts';

const CLIENT = 'x509_san_dns:verifier.example';
const NONCE = '4b1fa0b6-7cf0-4a9b-a3d2-6b1d2a6bd0aa';

/** Verification of an SD-JWT VC with 3 disclosures and its key binding, ES256, holders never seen before, in process. */
export async function sdJwtPresentation(): Promise<Line[]> {
  const { formats, dids, issuers } = await benchPlatform();
  const { presentations } = formats.presentable('dc+sd-jwt');
  const issuer = makeParty();
  const issue = LIBRARY_CREDENTIALS['vc+sd-jwt'](issuer, []);
  const present = async () => {
    const holder = makeParty();
    const content = {
      id: 'urn:uuid:0',
      credentials: [{ document: await issue(holder) }],
      ...{ holder, nonce: NONCE, audience: CLIENT, now: Date.now() },
    };
    const sign = async (data: Uint8Array) => signRaw(data, holder.privateKey);
    const signer = { keyType: 'secp256r1', publicJwk: holder.publicJwk as PublicJwk, sign } as const;
    return presentations.present(content, signer);
  };
  const next = inTurn(await Promise.all(Array.from({ length: MANY }, present)));
  const challenge = { nonce: NONCE, audience: CLIENT, dids, issuers };
  const ours = async () => {
    const parsed = await presentations.parsePresentation(next());
    const checks = [await parsed.verifyHolder({ ...challenge, now: Date.now(), maxAgeMs: 300_000 })];
    for (const credential of parsed.credentials) checks.push(await credential.verifyIssuer(challenge));
    const { binding } = parsed;
    const isAnswer = binding.kind === 'stated' && binding.nonce === NONCE && binding.audience.includes(CLIENT);
    if (!isAnswer || !checks.every(({ valid }) => valid)) throw new Error(`Not verified: ${JSON.stringify(checks)}`);
  };
  const verifyByLibrary = libraryVerifier(issuer, NONCE);
  const rates = await interleave(
    {
      ours: repeat(ours),
      bare: repeat(bareCrypto({ signs: 0, verifies: 2, imports: 1 })),
      library: repeat(() => verifyByLibrary(next())),
    },
    { warmUp: 20 },
  );
  const work = 'SD-JWT VC with key binding verified, ES256, in process';
  return [
    compared({ work, named: 'bare 2 verify + 1 import' }, rates.ours, rates.bare),
    compared({ work: '', named: '@sd-jwt/sd-jwt-vc', goal: { atLeast: 1.3 } }, rates.ours, rates.library),
  ];
}
