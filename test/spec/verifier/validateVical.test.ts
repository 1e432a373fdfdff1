import { expect } from 'chai';
import { useServer } from '../../support/servers/server.ts';
import { DAY } from '../../support/trust/certificates.ts';
import { iaca } from '../../support/trust/issuer-chains.ts';
import { listSigner, MDL, makeVical } from '../../support/trust/trust-list-makers.ts';

describe('validateVical', () => {
  const server = useServer();
  const signer = listSigner();
  const jwk = signer.keys.publicKey.export({ format: 'jwk' });
  const vical = makeVical({ entries: [{ certificate: iaca() }] });

  const call = (verificationKey: unknown, list: Buffer = vical) =>
    server.call('validateVical', { json: { verificationKey, vicalBase64: list.toString('base64') } });

  it('200: a VICAL that the key signed, given as a JWK, in a key object or as a certificate', async () => {
    for (const key of [jwk, { type: 'jwk', jwk }, signer.pem]) {
      const { status, body } = await call(key);
      expect(status).to.equal(200);
      expect(body).to.include({ vicalValid: true, vicalProvider: 'Example provider', certificates: 1 });
      expect(body.documentTypes).to.deep.equal([MDL]);
    }
  });

  it('200: says why a VICAL is not valid', async () => {
    const other = listSigner(1).keys.publicKey.export({ format: 'jwk' });
    expect((await call(other)).body).to.include({ vicalValid: false, reason: 'The key did not sign the VICAL' });
    const old = makeVical({ members: { nextUpdate: new Date(Date.now() - DAY) } });
    expect((await call(jwk, old)).body.reason).to.match(/out of date/);
  });

  it('400: names a key or a VICAL that cannot be read', async () => {
    for (const [key, list, field] of [
      [{ kty: 'EC' }, vical, 'verificationKey'],
      ['no certificate', vical, 'verificationKey'],
      [jwk, Buffer.from('x'), 'vicalBase64'],
    ] as const) {
      const { status, body } = await call(key, Buffer.from(list));
      expect(status).to.equal(400);
      expect(JSON.stringify(body)).to.include(field);
    }
  });

  it('413 and 415: a body that is too large, or no JSON', async () => {
    const text = JSON.stringify({ verificationKey: jwk, vicalBase64: 'A'.repeat(1024 * 1024) });
    const tooLarge = await server.call('validateVical', { text, contentType: 'application/json' });
    const wrongType = await server.call('validateVical', { text: 'x', contentType: 'text/plain' });
    expect([tooLarge.status, wrongType.status]).to.deep.equal([413, 415]);
  });
});
