import { createPublicKey, X509Certificate } from 'node:crypto';
import { cborDecode } from '@owf/mdoc';
import { expect } from 'chai';
import type { HolderKey } from '../../../demo/actors/holder-key.ts';
import { decodeJwt } from '../../actors/wallet.ts';

type Json = Record<string, unknown>;

const certificateOf = (base64: string): X509Certificate => new X509Certificate(Buffer.from(base64, 'base64'));

/** Judges an SD-JWT VC as the suite does (SD-JWT VC, HAIP 1.0 §6.1): returns its claims. */
export function judgeSdJwt(text: string, holder: HolderKey, now: number): Json {
  const [jwt = '', ...rest] = text.split('~');
  expect(rest.at(-1), 'no key binding').to.equal('');
  const { header, claims, verifies } = decodeJwt(jwt);
  expect(header.typ).to.equal('dc+sd-jwt');
  const chain = (header.x5c as string[]).map(certificateOf);
  const [leaf] = chain as [X509Certificate];
  for (const certificate of chain) expect(certificate.checkIssued(certificate), 'self-signed').to.equal(false);
  expect(verifies(leaf.publicKey.export({ format: 'jwk' }) as Json)).to.equal(true);
  expect(claims.iss).to.match(/^https:\/\//);
  expect(claims.vct).to.be.a('string');
  expect(claims.iat).to.be.within(now / 1000 - 60, now / 1000 + 1);
  expect(claims.exp).to.be.greaterThan(now / 1000);
  expect(claims.cnf.jwk)
    .to.deep.include({ ...holder.jwk })
    .and.not.have.property('d');
  expect(claims.status.status_list.idx).to.be.a('number');
  return claims;
}

/** Judges the signature and the device key of an mdoc (OpenID4VCI 1.0 appendix A.2.4). */
export function judgeMdoc(text: string, holder: HolderKey): void {
  expect(text).to.match(/^[A-Za-z0-9_-]+$/);
  const signed = cborDecode(Buffer.from(text, 'base64url')) as Map<string, unknown>;
  const [, unprotected, payload] = signed.get('issuerAuth') as [unknown, Map<number, Uint8Array>, Uint8Array];
  const certificate = unprotected.get(33) as Uint8Array | Uint8Array[];
  const leaf = new X509Certificate(Buffer.from([certificate].flat()[0] as Uint8Array));
  expect(createPublicKey(leaf.publicKey.export({ type: 'spki', format: 'pem' })).asymmetricKeyType).to.equal('ec');
  const bytes = Buffer.from(payload);
  for (const name of ['x', 'y'] as const)
    expect(bytes.includes(Buffer.from(holder.jwk[name] ?? '', 'base64url')), `deviceKey ${name}`).to.equal(true);
}
