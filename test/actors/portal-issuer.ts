import { expect } from 'chai';
import { DEGREE_MAPPING } from '../../demo/actors/issuer.ts';
import { keyPair } from '../../demo/actors/key-pairs.ts';
import type { TestServer } from '../support/servers/server.ts';
import { degreeTemplate, portalCall } from './portal.ts';

/** An issuer whose private key the portal's page stores. */
export interface PageIssuer {
  issuerDid: string;
  issuerKey: { type: 'jwk'; jwk: object };
}

/** The portal's default issuer: a P-256 key and its did:jwk. */
export function jwkIssuer(): PageIssuer {
  const { privateKey, publicKey } = keyPair({ namedCurve: 'P-256' });
  const encoded = Buffer.from(JSON.stringify(publicKey.export({ format: 'jwk' }))).toString('base64url');
  return { issuerDid: `did:jwk:${encoded}`, issuerKey: { type: 'jwk', jwk: privateKey.export({ format: 'jwk' }) } };
}

/** The body of an issuance request, as the portal's page builds it. */
export const issueBody = (issuer: PageIssuer, changes: object = {}) => ({
  issuerDid: issuer.issuerDid,
  issuerKey: issuer.issuerKey,
  credentialConfigurationId: 'UniversityDegree_jwt_vc_json',
  credentialData: degreeTemplate(),
  mapping: DEGREE_MAPPING,
  authenticationMethod: 'PRE_AUTHORIZED',
  ...changes,
});

/** The offer link of a degree that the portal issues. */
export async function degreeOffer(server: TestServer, issuer = jwkIssuer()): Promise<string> {
  const { status, body } = await portalCall(server, '/openid4vc/jwt/issue', { json: issueBody(issuer) });
  expect(status, JSON.stringify(body)).to.equal(200);
  return body;
}
