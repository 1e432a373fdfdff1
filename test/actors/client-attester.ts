import { randomUUID } from 'node:crypto';
import { type HolderKey, makeHolderKey } from '../../demo/actors/holder-key.ts';
import { signJws } from '../../demo/actors/jws.ts';
import type { Answer, TestServer } from '../support/servers/server.ts';
import { type EnterpriseFixture, KMS } from './tenant.ts';
import { ok } from './tenant-certificates.ts';

export const ATTESTER = 'acme.t1.attester1';
export const CLIENT = 'https://wallet.example';

/** What is different about a proof: members that are undefined are left out. */
interface ProofChanges {
  header?: object;
  claims?: object;
  key?: HolderKey;
}

/** The URL of a client attester, which proofs are for. */
export const attesterUrl = ({ url }: TestServer, target = ATTESTER): string =>
  `${url}/v1/${target}/client-attester-api`;

/** A proof that a client instance has its key. */
export function instanceProof(
  server: TestServer,
  instance: HolderKey,
  { header, claims, key = instance }: ProofChanges = {},
): string {
  const iat = Math.floor(server.clock.now() / 1000);
  const own = { iss: CLIENT, aud: attesterUrl(server), iat, jti: randomUUID() };
  const head = { typ: 'client-instance-proof+jwt', alg: 'ES256', ...header };
  return signJws({ header: head, payload: { ...own, ...claims } }, key.privateKey);
}

/** A request for an attestation of a key. */
export const newAttestation = (server: TestServer, instance: HolderKey, changes?: ProofChanges) => ({
  clientId: CLIENT,
  instancePublicKeyJwk: instance.jwk,
  proof: instanceProof(server, instance, changes),
});

/** Asks for an attestation. */
export const attest = (
  { post, server }: EnterpriseFixture,
  { instance = makeHolderKey(), target = ATTESTER } = {},
): Promise<Answer> => {
  const claims = { aud: attesterUrl(server, target) };
  return post('createClientAttestation', target, newAttestation(server, instance, { claims }));
};

/** Creates a client attester with a key of the tenant's kms; `changes` are members of its configuration. */
export async function createAttester({ post }: EnterpriseFixture, changes: object = {}, target = ATTESTER) {
  if (!('signingKeyId' in changes)) await post('generateKey', `${KMS}.attests`, { keyType: 'secp256r1' });
  const own = { dependencies: [KMS], signingKeyId: `${KMS}.attests`, clientIds: [CLIENT] };
  return ok(post('createService', target, { type: 'client-attester', ...own, ...changes }), 201);
}
