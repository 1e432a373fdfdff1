import { expect } from 'chai';
import { DEGREE_MAPPING } from '../../../demo/actors/issuer.ts';
import { type IssuanceFixture, startIssuance } from '../../actors/issuance.ts';
import { credentialRequest, decodeJwt, requestCredential } from '../../actors/wallet.ts';

const V1 = 'https://www.w3.org/2018/credentials/v1';
const V2 = 'https://www.w3.org/ns/credentials/v2';
const OTHER = 'did:example:other';

describe('requestCredential', () => {
  let { server, issuer, holder, access, proof } = {} as IssuanceFixture;
  before(async () => {
    ({ server, issuer, holder, access, proof } = await startIssuance());
  });
  after(() => server.close());

  /** The answer to a request for a credential of this data, and what the credential says. */
  async function issued(data: Record<string, unknown>, mapping: Record<string, unknown> = {}) {
    const credentialData = { '@context': [V1], type: ['VerifiableCredential', 'UniversityDegree'], ...data };
    const { token, nonce } = await access({ credentialData, mapping });
    const { status, body } = await requestCredential(server, token, credentialRequest(proof(nonce)));
    const { claims } = status === 200 ? decodeJwt(body.credential) : { claims: {} };
    return { status, body, claims, document: claims.vc ?? claims };
  }

  describe('one truth in what is signed', () => {
    for (const context of [V1, V2]) {
      const model = context === V1 ? '1.1' : '2.0';

      it(`200: the signer is the issuer, regardless of the data (data model ${model})`, async () => {
        const data = { '@context': [context] };
        for (const given of [undefined, '', OTHER]) {
          const { claims, document } = await issued({ ...data, issuer: given });
          expect([claims.iss, document.issuer]).to.deep.equal([issuer.issuerDid, issuer.issuerDid]);
        }
        const { claims, document } = await issued({ ...data, issuer: { id: OTHER, name: 'University' } });
        expect(document.issuer).to.deep.equal({ id: issuer.issuerDid, name: 'University' });
        expect(claims.iss).to.equal(issuer.issuerDid);
      });

      it(`200: sub is the id of the subject, the holder where the data names none (data model ${model})`, async () => {
        const of = async (credentialSubject: unknown) =>
          (await issued({ '@context': [context], credentialSubject })).claims.sub;
        expect(await of(undefined)).to.equal(holder.did);
        expect(await of({ degree: {} })).to.equal(holder.did);
        expect(await of({ id: OTHER })).to.equal(OTHER);
        expect(await of([{ id: OTHER }, { id: 'did:example:third' }])).to.equal('');
      });

      it(`200: iat, nbf and exp name the instants of the dates that the mapping writes (data model ${model})`, async () => {
        server.clock.advance(1_000 - (server.clock.now() % 1_000) + 250);
        const { claims, document } = await issued({ '@context': [context] }, DEGREE_MAPPING);
        const { issuanceDate, expirationDate, validFrom = issuanceDate, validUntil = expirationDate } = document;
        expect([validFrom, validFrom, validUntil].map(Date.parse)).to.deep.equal(
          [claims.iat, claims.nbf, claims.exp].map((seconds) => seconds * 1000),
        );
      });

      it(`200: nbf and exp are the strictest of the dates (data model ${model})`, async () => {
        const dates = {
          issuanceDate: '2024-01-01T00:00:00Z',
          validFrom: '2024-02-01T00:00:00Z',
          expirationDate: '2034-01-01T00:00:00Z',
          validUntil: '2033-01-01T00:00:00Z',
        };
        const seconds = (text: string) => Date.parse(text) / 1000;
        const { claims } = await issued({ '@context': [context], ...dates });
        expect(claims).to.include({
          iat: seconds(dates.issuanceDate),
          nbf: seconds(dates.validFrom),
          exp: seconds(dates.validUntil),
        });
        const mapping = { 'jwt:nbf': '<timestamp-before-seconds:1d>', 'jwt:exp': '<timestamp-in-seconds:1d>' };
        const now = Math.floor(server.clock.now() / 1000);
        const mapped = await issued({ '@context': [context], ...dates }, mapping);
        expect([mapped.claims.nbf, mapped.claims.exp]).to.deep.equal([now - 86_400, now + 86_400]);
        const unreadable = await issued({ '@context': [context], issuanceDate: 'to be replaced' }, mapping);
        expect(unreadable.claims.nbf).to.equal(now - 86_400);
      });
    }

    const refused: [string, Record<string, unknown>, Record<string, unknown>][] = [
      ['another jti than id', { id: 'urn:a' }, { 'jwt:jti': '<uuid>' }],
      ['another member beside vc', {}, { 'jwt:type': '<uuid>' }],
      ['a subject whose id is no text', { credentialSubject: { id: 7 } }, {}],
      ['an issuer beside vc', {}, { 'jwt:issuer': '<subjectDid>' }],
    ];
    for (const [what, data, mapping] of refused)
      it(`400: a mapping or data that gives ${what} is not signed`, async () => {
        const { status, body } = await issued(data, mapping);
        expect([status, body.error]).to.deep.equal([400, 'credential_request_denied']);
      });
  });
});
