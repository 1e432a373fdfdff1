import { expect } from 'chai';
import { JwtVcIssuers } from '../../domain/credentials/jwt-vc-issuers.ts';
import { didKey } from '../../domain/dids/did-methods.ts';
import { utf8 } from '../../domain/foundation/bytes.ts';
import { withKid } from '../../domain/jose/jwk.ts';
import { verifyReceivedCredential } from '../../domain/wallet/issuance/received-credential.ts';
import type { CredentialContent, KeySources } from '../../ports/credential-formats.ts';
import type { PublicJwk, Signer } from '../../ports/key-service.ts';
import { testFormats } from '../support/credentials/formats.ts';
import { contentOf, disclosuresOf, newSigner, offline, packedPayload } from '../support/credentials/sd-jwts.ts';
import { localKeys } from '../support/keys/local-keys.ts';
import { makeCertificate, type TestCertificate, testKeys } from '../support/trust/certificates.ts';

const { codec } = testFormats.get('dc+sd-jwt');
const { codec: jwtVc } = testFormats.get('jwt_vc_json');
const { backends } = localKeys();
const base64Of = (certificate: TestCertificate): string => Buffer.from(certificate.der).toString('base64');

describe('issuers of SD-JWT VCs', () => {
  const keys = testKeys('P-256', 7);
  const root = makeCertificate({ subject: 'CN=Root', keys: testKeys('P-256', 8), ca: true });
  const leaf = makeCertificate({ subject: 'CN=Issuer', keys, issuer: root, altNames: [{ dNSName: 'issuer.example' }] });
  const selfSigned = makeCertificate({ subject: 'CN=Issuer', keys });
  let certified: Signer;

  before(async () => {
    const jwk = keys.privateKey.export({ format: 'jwk' });
    certified = backends.signer(await backends.read({ type: 'jwk', jwk }));
  });

  const check = async (changes: Partial<CredentialContent>, sources: KeySources = offline, signer = certified) => {
    const parsed = await codec.parse(await codec.issue(contentOf(signer, changes), signer));
    return { parsed, check: await parsed.verifyIssuer(sources) };
  };

  it('a certificate names the host or the URL of the issuer; the trust anchor is left out', async () => {
    const x5c = [base64Of(leaf), base64Of(root)];
    const { parsed, check: valid } = await check({ issuer: 'https://issuer.example/a', x5c });
    expect(valid).to.include({ valid: true });
    expect(parsed.issuer).to.deep.equal({
      kind: 'certificates',
      id: 'https://issuer.example/a',
      chain: [Buffer.from(leaf.der)],
    });
    const other = await check({ issuer: 'https://other.example', x5c });
    expect(other.check).to.deep.equal({ valid: false, refusal: 'no-signer' });
    const stranger = await check({ issuer: 'https://issuer.example', x5c }, offline, await newSigner());
    expect(stranger.check).to.deep.equal({ valid: false, refusal: 'signature' });
  });

  it('a DID that does not list the key is not helped by a certificate of it', async () => {
    const issuer = didKey((await newSigner()).publicJwk);
    const { check: outcome } = await check({ issuer, kid: `${issuer}#x`, x5c: [base64Of(leaf)] });
    expect(outcome).to.deep.equal({ valid: false, refusal: 'signature' });
  });

  it('a self-signed certificate is refused before anything is signed, for dc+sd-jwt only', async () => {
    const content = contentOf(certified, { x5c: [base64Of(selfSigned)] });
    const error = await codec.issue(content, certified).catch((reason) => reason);
    expect(error.message).to.equal('x5Chain[0]: is self-signed; this format needs a certified key');
    expect(await testFormats.get('vc+sd-jwt').codec.issue(content, certified)).to.match(/~$/);
  });

  /** Issuers that publish documents at URLs, and what was fetched. */
  function published(documents: Record<string, unknown>) {
    const fetched: string[] = [];
    const send = async ({ url }: { url: string }) => {
      fetched.push(url);
      const found = documents[url];
      return { status: found ? 200 : 404, headers: {}, body: utf8(JSON.stringify(found ?? {})) };
    };
    const issuers = new JwtVcIssuers({ outbound: { check: () => {}, send }, clock: { now: () => 0 } });
    return { fetched, sources: { ...offline, issuers } };
  }

  it('a URL publishes the key at its well-known path, in place or by another URL, and is asked once', async () => {
    const issuer = 'https://issuer.example/tenant/';
    const at = 'https://issuer.example/.well-known/jwt-vc-issuer/tenant';
    const set = {
      keys: [
        { kty: 'oct', k: 'AA' },
        { ...withKid(certified.publicJwk), kid: 'one' },
      ],
    };
    for (const documents of [
      { [at]: { issuer, jwks: set } },
      { [at]: { issuer, jwks_uri: 'https://keys.example/set' }, 'https://keys.example/set': set },
    ]) {
      const { fetched, sources } = published(documents);
      expect((await check({ issuer, kid: 'one' }, sources)).check).to.include({ valid: true });
      expect((await check({ issuer, kid: 'two' }, sources)).check).to.deep.equal({
        valid: false,
        refusal: 'signature',
      });
      expect(fetched).to.deep.equal(Object.keys(documents));
    }
  });

  it('metadata of another issuer, with two key sets, without one, or behind plain http is refused', async () => {
    const issuer = 'https://issuer.example';
    const at = 'https://issuer.example/.well-known/jwt-vc-issuer';
    const jwks = { keys: [certified.publicJwk] };
    const cases: unknown[] = [
      { issuer: 'https://issuer.example/', jwks },
      { issuer, jwks, jwks_uri: at },
      { issuer },
      { issuer, jwks_uri: 'http://issuer.example/set' },
      { issuer, jwks: { keys: Array.from({ length: 33 }, () => certified.publicJwk) } },
      [],
    ];
    for (const metadata of cases) {
      const outcome = check({ issuer, kid: 'one' }, published({ [at]: metadata }).sources);
      expect(await outcome.catch(({ code }) => code), JSON.stringify(metadata)).to.equal('BadRequest');
    }
    for (const wrong of ['http://issuer.example', 'https://issuer.example/?a=1', 'https://a:b@issuer.example'])
      expect(await check({ issuer: wrong }, published({}).sources).catch(({ code }) => code)).to.equal('BadRequest');
    expect(await check({ issuer }, published({}).sources).catch(({ code }) => code)).to.equal('UpstreamFailed');
  });

  it('a wallet takes a credential that is bound to its key and signed by its issuer, and no other', async () => {
    const [own, other] = [(await newSigner()).publicJwk, (await newSigner()).publicJwk];
    const receive = async (jwk: PublicJwk, changes: Partial<CredentialContent> = {}, keysOf: KeySources = offline) => {
      const credential = await codec.issue(contentOf(certified, { holder: { jwk }, ...changes }), certified);
      const issued = { format: 'dc+sd-jwt', credential };
      const received = { issued, holder: { did: didKey(own) }, formats: testFormats, keys: keysOf };
      return verifyReceivedCredential(received).then(
        () => 'stored',
        ({ message }) => message,
      );
    };
    expect(await receive(own)).to.equal('stored');
    expect(await receive(other)).to.match(/bound to the key of another holder/);
    const issuer = didKey(other);
    expect(await receive(own, { issuer, kid: issuer })).to.match(/signature .* is not valid/);
    const url = 'https://issuer.example';
    const at = 'https://issuer.example/.well-known/jwt-vc-issuer';
    const { sources } = published({ [at]: { issuer: url, jwks: { keys: [{ ...withKid(other), kid: 'one' }] } } });
    for (const kid of ['one', 'two'])
      expect(await receive(own, { issuer: url, kid }, sources), kid).to.match(/signature/);
  });
});

describe('W3C credentials with selective disclosure', () => {
  const V1 = 'https://www.w3.org/2018/credentials/v1';
  const V2 = 'https://www.w3.org/ns/credentials/v2';
  let signer: Signer;

  before(async () => {
    signer = await newSigner('secp256r1');
  });

  const documentOf = (context: string) => ({
    '@context': [context],
    type: ['VerifiableCredential', 'Degree'],
    issuanceDate: '2023-11-14T22:13:20Z',
    credentialSubject: { id: 'did:example:holder', degree: { name: 'BSc', year: 2020 } },
  });
  const selectiveDisclosure = {
    fields: {
      issuanceDate: { sd: true },
      credentialSubject: { sd: false, children: { fields: { degree: { sd: true } } } },
    },
  };

  it('withhold members of vc, or of the payload in the data model 2.0, and are read as the plain form is', async () => {
    for (const context of [V1, V2]) {
      const content = contentOf(signer, { document: documentOf(context) });
      const plain = await jwtVc.issue(content, signer);
      const text = await jwtVc.issue({ ...content, selectiveDisclosure }, signer);
      expect(plain).to.not.include('~');
      const [whole, parsed] = [await jwtVc.parse(plain), await jwtVc.parse(text)];
      expect(parsed.claims, context).to.deep.equal(whole.claims);
      expect(await parsed.verifyIssuer(offline)).to.include({ valid: true });
      const payload = packedPayload(text);
      expect(payload._sd_alg).to.equal('sha-256');
      expect(context === V1 ? payload.vc : payload)
        .to.have.property('_sd')
        .with.length(1);
      const names = disclosuresOf(text).map(([, name]) => name);
      expect(names).to.have.members(['degree', context === V1 ? 'issuanceDate' : 'validFrom']);
      const least = await jwtVc.parse(`${text.split('~')[0]}~`);
      expect(least.document.credentialSubject).to.deep.equal({ id: 'did:example:holder' });
      expect(await testFormats.parse(text)).to.include({ format: 'jwt_vc_json', type: 'Degree' });
    }
  });

  it('keep what verifiers always need', async () => {
    for (const name of ['@context', 'type', 'issuer', 'credentialStatus', 'expirationDate']) {
      const document = { ...documentOf(V1), credentialStatus: {}, expirationDate: '2030-01-01T00:00:00Z' };
      const content = contentOf(signer, { document, selectiveDisclosure: { fields: { [name]: { sd: true } } } });
      const message = await jwtVc.issue(content, signer).catch((error) => error.message);
      expect(message).to.match(/: is always disclosed$/);
    }
  });
});
