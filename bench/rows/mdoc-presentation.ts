import type { Handover } from '../../ports/credential-formats.ts';
import type { PublicJwk } from '../../ports/key-service.ts';
import { bareCrypto } from '../baselines/bare-crypto.ts';
import { LIBRARY_CREDENTIALS } from '../baselines/credential-libraries.ts';
import { libraryVerifier } from '../baselines/mdoc-library.ts';
import { compared, interleave, type Line, repeat } from '../support/harness.ts';
import { documentSigner } from '../support/issuer.ts';
import { inTurn, MANY, makeParty, signRaw } from '../support/parties.ts';
import { benchPlatform } from '../support/platform.ts';

const REQUEST = {
  clientId: 'x509_san_dns:verifier.example',
  responseUri: 'https://verifier.example/response',
  nonce: '4b1fa0b6-7cf0-4a9b-a3d2-6b1d2a6bd0aa',
};
const HANDOVER: Handover = { kind: 'redirect', ...REQUEST };

/** Verification of a response with one mdoc of ten elements, ES256, devices never seen before, in process. */
export async function mdocPresentation(): Promise<Line[]> {
  const { formats, dids, issuers } = await benchPlatform();
  const { presentations } = formats.presentable('mso_mdoc');
  const issuer = makeParty();
  const certificates = (await documentSigner(issuer)).map(({ der }) => der);
  const issue = LIBRARY_CREDENTIALS.mso_mdoc(issuer, certificates);
  const present = async () => {
    const device = makeParty();
    const content = {
      id: 'urn:uuid:0',
      credentials: [{ document: await issue(device) }],
      holder: device,
      nonce: REQUEST.nonce,
      audience: REQUEST.clientId,
      handover: HANDOVER,
      now: Date.now(),
    };
    const sign = async (data: Uint8Array) => signRaw(data, device.privateKey);
    const signer = { keyType: 'secp256r1', publicJwk: device.publicJwk as PublicJwk, sign } as const;
    return presentations.present(content, signer);
  };
  const presented = await Promise.all(Array.from({ length: MANY }, present));
  const next = inTurn(presented);
  const challenge = { nonce: REQUEST.nonce, audience: REQUEST.clientId, handover: HANDOVER, dids, issuers };
  const ours = async () => {
    const parsed = await presentations.parsePresentation(next());
    const checks = [await parsed.verifyHolder({ ...challenge, now: Date.now(), maxAgeMs: 300_000 })];
    for (const credential of parsed.credentials) checks.push(await credential.verifyIssuer(challenge));
    if (!checks.every(({ valid }) => valid)) throw new Error(`Not verified: ${JSON.stringify(checks)}`);
  };
  const [leaf = new Uint8Array()] = certificates;
  const verifyByLibrary = libraryVerifier(leaf, REQUEST);
  const rates = await interleave(
    {
      ours: repeat(ours),
      bare: repeat(bareCrypto({ signs: 0, verifies: 2, imports: 1 })),
      library: repeat(() => verifyByLibrary(next())),
    },
    { warmUp: 20 },
  );
  const work = 'mdoc of 10 elements presented and verified, ES256, in process';
  return [
    compared({ work, named: 'bare 2 verify + 1 import' }, rates.ours, rates.bare),
    compared({ work: '', named: '@owf/mdoc alone', goal: { atLeast: 1 } }, rates.ours, rates.library),
  ];
}
